// SPDX-License-Identifier: Apache-2.0
#include "base/ulid.h"

#include <sodium.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <stdexcept>

namespace hearth::base {
namespace {

// Random bytes for ids, fetched from the system 64 ids at a time.
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

}  // namespace

std::string make_ulid(Timestamp now) {
  constexpr char digits[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  thread_local RandomPool pool;
  const auto milliseconds =
      static_cast<std::uint64_t>(std::chrono::floor<std::chrono::milliseconds>(now).time_since_epoch().count());
  const auto random = pool.take();

  std::string text(26, '0');
  for (int i = 0; i < 10; ++i) text[i] = digits[milliseconds >> (45 - 5 * i) & 31];
  for (int half = 0; half < 2; ++half) {
    std::uint64_t bits = 0;
    for (int i = 0; i < 5; ++i) bits = bits << 8 | random[half * 5 + i];
    for (int i = 0; i < 8; ++i) text[10 + half * 8 + i] = digits[bits >> (35 - 5 * i) & 31];
  }
  return text;
}

}  // namespace hearth::base
