// SPDX-License-Identifier: Apache-2.0
// Signatures that let somebody in for one subject and a short time, where a header cannot carry a token: a page's
// images. What the subject is, its user says; for the API it is a path with its query.
//
// Any thread. The key is random and lives as long as the object: a restart ends all signatures.
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
  // `clock` must outlive it.
  explicit PathSigner(const base::Clock& clock);

  // URL-safe text: the id of a long-lived token or session, without dots, the end of its life and a MAC of all three.
  // The life is measured by the steady clock: setting the time neither ends nor renews it.
  std::string sign(std::string_view token_id, std::string_view subject, base::Duration life) const;
  // The token's id, if this was signed for the subject and its life is not over. Whether the token is still there,
  // the Authenticator knows.
  std::optional<std::string_view> verify(std::string_view signature, std::string_view subject) const;

 private:
  std::string mac(std::string_view token_and_time, std::string_view subject) const;

  const base::Clock& clock_;
  std::array<std::uint8_t, 32> key_;
};

}  // namespace hearth::auth
