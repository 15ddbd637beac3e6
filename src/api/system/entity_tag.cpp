// SPDX-License-Identifier: Apache-2.0
#include "api/system/entity_tag.h"

#include <sodium.h>

#include <array>

namespace hearth::api {

std::string digest_of(std::string_view content) {
  std::array<unsigned char, 16> digest;
  crypto_generichash(digest.data(), digest.size(), reinterpret_cast<const unsigned char*>(content.data()),
                     content.size(), nullptr, 0);
  std::string text(2 * digest.size(), '\0');
  sodium_bin2hex(text.data(), text.size() + 1, digest.data(), digest.size());
  return text;
}

}  // namespace hearth::api
