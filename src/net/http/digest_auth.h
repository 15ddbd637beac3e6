// SPDX-License-Identifier: Apache-2.0
// Digest access authentication of a client (RFC 7616): MD5, SHA-256 and SHA-512-256, each also with -sess; with
// qop=auth, or without (RFC 2069). Values; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hearth::net {

struct DigestChallenge {
  enum class Algorithm { md5, sha256, sha512_256 };  // the later, the better

  Algorithm algorithm = Algorithm::md5;
  bool session = false;  // -sess
  bool with_qop = false;
  bool stale = false;
  std::string realm, nonce;
  std::optional<std::string> opaque = {};

  bool operator==(const DigestChallenge&) const = default;
};

// The best one of all WWW-Authenticate fields of an answer that this client can answer; each may hold several
// challenges of several schemes. Null if there is none.
std::optional<DigestChallenge> parse_digest_challenges(const std::vector<std::string_view>& fields);

struct DigestRequest {
  std::string_view method, target;
  std::string_view user, password;
  std::string_view client_nonce;  // without quotes
  std::uint32_t count = 1;        // of requests with this nonce of the server
};
// The value of the Authorization field. Empty if OpenSSL lacks the algorithm.
std::string answer_digest(const DigestChallenge& challenge, const DigestRequest& request);

// The value of the Authorization field of RFC 7617.
std::string basic_authorization(std::string_view user, std::string_view password);

}  // namespace hearth::net
