// SPDX-License-Identifier: Apache-2.0
#include "import_ha/steps/old_tokens.h"

#include <fmt/format.h>
#include <sodium.h>

#include <array>
#include <chrono>
#include <cmath>

#include "auth/factors/passkey.h"
#include "base/json/json.h"

namespace hearth::import_ha {

std::vector<auth::TokenHash> hashes_of_token(std::string_view id, std::string_view key, base::Timestamp created_at,
                                             double lifetime) {
  std::vector<auth::TokenHash> hashes;
  const auto base_time = std::chrono::floor<std::chrono::seconds>(created_at.time_since_epoch());
  const double fraction = std::chrono::duration<double>(created_at.time_since_epoch() - base_time).count();
  const auto life = static_cast<std::int64_t>(std::floor(fraction + lifetime));
  for (const std::string_view head : {R"({"alg":"HS256","typ":"JWT"})", R"({"typ":"JWT","alg":"HS256"})"}) {
    for (const int shift : {0, 1, -1}) {
      const std::int64_t issued = base_time.count() + shift;
      std::string claims = R"({"iss":)";
      base::write_json_string(claims, id);
      claims += fmt::format(R"(,"iat":{},"exp":{}}})", issued, issued + life);
      std::string text = fmt::format("{}.{}", auth::to_base64url(head), auth::to_base64url(claims));
      std::array<unsigned char, crypto_auth_hmacsha256_BYTES> signature;
      crypto_auth_hmacsha256_state state;
      crypto_auth_hmacsha256_init(&state, reinterpret_cast<const unsigned char*>(key.data()), key.size());
      crypto_auth_hmacsha256_update(&state, reinterpret_cast<const unsigned char*>(text.data()), text.size());
      crypto_auth_hmacsha256_final(&state, signature.data());
      text += '.';
      text += auth::to_base64url({reinterpret_cast<const char*>(signature.data()), signature.size()});
      hashes.push_back(auth::hash_token(text));
    }
  }
  return hashes;
}

}  // namespace hearth::import_ha
