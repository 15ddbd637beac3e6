// SPDX-License-Identifier: Apache-2.0
// Passkeys: keys of a phone, a computer or a stick, which sign what the hub asks (Web Authentication, level 2) when
// their owner has shown a finger or a PIN: two factors in one, so that no password is asked. libfido2 checks the
// signatures, where it is installed. Bytes are raw, texts are UTF-8. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace hearth::auth {

// Where a key is good: browsers let no other site use it.
struct RelyingParty {
  std::string id;      // the host
  std::string origin;  // of its pages: https://home.example.org
};

// The relying party of a page at this origin. A browser has passkeys for pages that came by https, and for those of its
// own machine: so the origin is that of the home's `external_url`, if that is https, or one of localhost. Fails with
// invalid.
base::Result<RelyingParty> relying_party(std::string_view origin, std::string_view external_url);

// COSE's numbers of the signatures that are known, as browsers are told.
constexpr int kPasskeyAlgorithms[] = {-7, -8, -257};  // ES256, EdDSA, RS256

struct Passkey {
  std::string id;          // the authenticator's
  int algorithm = 0;       // one of kPasskeyAlgorithms
  std::string public_key;  // as libfido2 has it
  std::uint32_t counter = 0;
};

// The question that a key is to sign.
struct PasskeyChallenge {
  RelyingParty party;
  std::string bytes;
};

// The browser's answer to it.
struct PasskeyAnswer {
  std::string client_data;         // JSON
  std::string authenticator_data;  // §6.1
  std::string signature = {};      // of a login
};

// True if libfido2 is installed.
bool passkeys_available();

// A new key (§7.1, without attestation: who made the authenticator does not matter here). Fails with invalid, which
// says what is wrong.
base::Result<Passkey> register_passkey(const PasskeyChallenge& asked, const PasskeyAnswer& answer);

// A login with the key (§7.2). Returns the authenticator's counter now; that it has grown is the caller's to check.
// Fails with unauthorized, which says what is wrong.
base::Result<std::uint32_t> verify_passkey(const PasskeyChallenge& asked, const PasskeyAnswer& answer,
                                           const Passkey& key);

// Base64 for addresses, without padding (RFC 4648 §5). Decoding fails with invalid for anything else.
std::string to_base64url(std::string_view bytes);
base::Result<std::string> from_base64url(std::string_view text);

}  // namespace hearth::auth
