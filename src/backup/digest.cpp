// SPDX-License-Identifier: Apache-2.0
#include "backup/digest.h"

namespace hearth::backup {

void Digest::add(std::string_view bytes) {
  crypto_hash_sha256_update(&state_, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
}

std::string Digest::hex() {
  unsigned char hash[crypto_hash_sha256_BYTES];
  crypto_hash_sha256_final(&state_, hash);
  char text[kHexLength + 1];
  sodium_bin2hex(text, sizeof text, hash, sizeof hash);
  return text;
}

}  // namespace hearth::backup
