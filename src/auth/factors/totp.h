// SPDX-License-Identifier: Apache-2.0
// One-time codes of an authenticator app: TOTP (RFC 6238) with SHA-1, six digits and steps of 30 seconds, as each such
// app has them. A secret is raw bytes. Any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace hearth::auth {

constexpr std::size_t kTotpSecretBytes = 20;  // of new secrets (RFC 4226 §4, R6)
constexpr std::chrono::seconds kTotpStep{30};

std::string make_totp_secret();

// The number of the step in which the moment is.
std::int64_t totp_step(base::Timestamp now);
std::string totp_code(std::string_view secret, std::int64_t step);

// The step whose code this is: that of `now`, the one before or the next (RFC 6238 §5.2), but later than `after`, so
// that a code counts once. Nothing for any other text; spaces in it are ignored.
std::optional<std::int64_t> matching_totp_step(std::string_view secret, std::string_view code, base::Timestamp now,
                                               std::int64_t after);

// As people type it into an app: A to Z and 2 to 7 (RFC 4648 §6), without padding.
std::string to_base32(std::string_view bytes);
// In either case, with or without padding and spaces. Nothing if it has any other character.
std::optional<std::string> from_base32(std::string_view text);

// The address that an app reads from a QR code: otpauth://totp/…
std::string otpauth_url(std::string_view secret, std::string_view issuer, std::string_view account);

}  // namespace hearth::auth
