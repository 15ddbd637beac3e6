// SPDX-License-Identifier: Apache-2.0
#include "base/random_id.h"

#include <sodium.h>

#include <array>
#include <cstdint>
#include <stdexcept>

namespace hearth::base {

std::string make_random_id() {
  if (sodium_init() < 0) throw std::runtime_error("the system gives no random bytes");
  std::array<std::uint8_t, 16> bytes;
  randombytes_buf(bytes.data(), bytes.size());
  std::array<char, 2 * bytes.size() + 1> digits;
  sodium_bin2hex(digits.data(), digits.size(), bytes.data(), bytes.size());
  return digits.data();
}

}  // namespace hearth::base
