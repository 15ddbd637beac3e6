// SPDX-License-Identifier: Apache-2.0
#include "automation/config/fingerprint.h"

#include <sodium.h>

#include <array>

namespace hearth::automation {

std::string fingerprint_of(std::string_view text) {
  std::array<unsigned char, 16> hash{};
  crypto_generichash(hash.data(), hash.size(), reinterpret_cast<const unsigned char*>(text.data()), text.size(),
                     nullptr, 0);
  std::array<char, 2 * hash.size() + 1> digits{};
  sodium_bin2hex(digits.data(), digits.size(), hash.data(), hash.size());
  return digits.data();
}

}  // namespace hearth::automation
