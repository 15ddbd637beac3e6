// SPDX-License-Identifier: Apache-2.0
// Signatures that grant access to one subject for a short time, if a header cannot carry a token: a page's images. The
// caller defines the subject; the API uses a path with its query.
//
// Any thread. The key is random and dies with the object: a restart invalidates all signatures.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace hearth::auth {

class PathSigner {
 public:
  // `clock` must outlive this.
  explicit PathSigner(const base::Clock& clock);

  // URL-safe: the id of a long-lived token or session, without dots, the expiry and a MAC of all three. The expiry uses
  // the steady clock: setting the wall clock does not change it.
  std::string sign(std::string_view token_id, std::string_view subject, base::Duration life) const;
  // The token's id, if this was signed for the subject and has not expired. The caller asks the Authenticator whether
  // the token still exists.
  std::optional<std::string_view> verify(std::string_view signature, std::string_view subject) const;

 private:
  std::string mac(std::string_view token_and_time, std::string_view subject) const;

  const base::Clock& clock_;
  std::array<std::uint8_t, 32> key_;
};

}  // namespace hearth::auth
