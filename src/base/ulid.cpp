// SPDX-License-Identifier: Apache-2.0
#include "base/ulid.h"

#include <sodium.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace hearth::base {
namespace {

// Random bytes for ids, fetched from the system for 64 ids at a time.
class RandomPool {
 public:
  RandomPool() {
    if (sodium_init() < 0) throw std::runtime_error("the system gives no random bytes");
  }

  std::array<std::uint8_t, 10> take() {
    std::array<std::uint8_t, 10> bytes;
    if (left_ < bytes.size()) {
      randombytes_buf(pool_.data(), pool_.size());
      left_ = pool_.size();
    }
    left_ -= bytes.size();
    std::memcpy(bytes.data(), pool_.data() + left_, bytes.size());
    return bytes;
  }

 private:
  std::array<std::uint8_t, 640> pool_;
  std::size_t left_ = 0;
};

// Five bits to a digit.
template <std::size_t... kDigit>
void put_base32(char* to, std::uint64_t bits, std::index_sequence<kDigit...>) {
  constexpr char digits[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  ((to[kDigit] = digits[bits >> (5 * (sizeof...(kDigit) - 1 - kDigit)) & 31]), ...);
}

// The first five bytes at `bytes`, as a number.
std::uint64_t forty_bits(const std::uint8_t* bytes) {
  std::uint64_t bits = 0;
  for (int i = 0; i < 5; ++i) bits = bits << 8 | bytes[i];
  return bits;
}

}  // namespace

Id make_ulid(Timestamp now) {
  thread_local RandomPool pool;
  const auto milliseconds =
      static_cast<std::uint64_t>(std::chrono::floor<std::chrono::milliseconds>(now).time_since_epoch().count());
  const auto random = pool.take();

  return Id::written(26, [&](char* to) {
    put_base32(to, milliseconds, std::make_index_sequence<10>());
    put_base32(to + 10, forty_bits(random.data()), std::make_index_sequence<8>());
    put_base32(to + 18, forty_bits(random.data() + 5), std::make_index_sequence<8>());
  });
}

}  // namespace hearth::base
