// SPDX-License-Identifier: Apache-2.0
#include "template/filters/python_random.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <bit>
#include <sstream>

#include "template/values/integer.h"

namespace hearth::templates {
namespace {

constexpr std::size_t kWords = 624;

// A text counts as the number that its bytes and their SHA-512 are.
Integer number_of(std::string bytes) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest, &size, EVP_sha512(), nullptr) != 1)
    fail(FailureKind::value, "this hash is not available");
  bytes.append(reinterpret_cast<const char*>(digest), size);
  if (bytes.size() * 8 > kMostBits) fail(FailureKind::limit, "the seed is too long");
  Integer number = 0;
  for (const char byte : bytes) number = number * 256 + static_cast<unsigned char>(byte);
  return number;
}

Integer seed_of(const Value& seed) {
  if (const auto integer = as_integer(seed)) return boost::multiprecision::abs(*integer);
  if (seed.is_text()) return number_of(std::string(seed.text()));
  if (const auto* bytes = seed.get<Bytes>()) return number_of(*bytes->bytes);
  if (seed.get<double>())
    fail(FailureKind::type, "shuffle: the seed may not be a float; give a whole number or a text");
  fail(FailureKind::type,
       fmt::format("shuffle: the seed may not be a {}; give a whole number or a text", type_name(seed)));
}

// The state that init_by_array of the Mersenne Twister's reference implementation makes of the words.
std::array<std::uint32_t, kWords> state_of(const std::vector<std::uint32_t>& words) {
  std::array<std::uint32_t, kWords> state{19'650'218};
  for (std::uint32_t i = 1; i < kWords; ++i) state[i] = 1'812'433'253u * (state[i - 1] ^ (state[i - 1] >> 30)) + i;
  std::size_t i = 1, j = 0;
  const auto next = [&] {
    if (++i < kWords) return;
    state[0] = state[kWords - 1];
    i = 1;
  };
  const auto mixed = [&](std::uint32_t factor) { return (state[i - 1] ^ (state[i - 1] >> 30)) * factor; };
  for (std::size_t k = std::max(kWords, words.size()); k > 0; --k) {
    state[i] = (state[i] ^ mixed(1'664'525u)) + words[j] + static_cast<std::uint32_t>(j);
    next();
    if (++j == words.size()) j = 0;
  }
  for (std::size_t k = kWords - 1; k > 0; --k) {
    state[i] = (state[i] ^ mixed(1'566'083'941u)) - static_cast<std::uint32_t>(i);
    next();
  }
  state[0] = 0x80000000u;
  return state;
}

}  // namespace

PythonRandom::PythonRandom(const Value& seed) {
  Integer number = seed_of(seed);
  std::vector<std::uint32_t> words;
  do {
    words.push_back(static_cast<std::uint32_t>(number & 0xffffffffu));
    number >>= 32;
  } while (number != 0);
  std::string text;
  for (const std::uint32_t word : state_of(words)) text += std::to_string(word) + ' ';
  std::istringstream(text + std::to_string(kWords)) >> engine_;
}

std::size_t PythonRandom::below(std::size_t count) {
  const int bits = std::bit_width(count);
  while (true) {
    const std::size_t drawn = bits <= 32 ? engine_() >> (32 - bits) : engine_();
    if (drawn < count) return drawn;
  }
}

}  // namespace hearth::templates
