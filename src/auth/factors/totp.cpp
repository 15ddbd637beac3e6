// SPDX-License-Identifier: Apache-2.0
#include "auth/factors/totp.h"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <sodium.h>

#include <array>
#include <stdexcept>

#include "base/text/percent.h"

namespace hearth::auth {
namespace {

constexpr int kTotpDigits = 6;

}  // namespace

std::string make_totp_secret() {
  std::string secret(kTotpSecretBytes, '\0');
  randombytes_buf(secret.data(), secret.size());
  return secret;
}

std::int64_t totp_step(base::Timestamp now) {
  return std::chrono::floor<std::chrono::seconds>(now).time_since_epoch() / kTotpStep;
}

// RFC 4226 §5.3 with the step as the counter.
std::string totp_code(std::string_view secret, std::int64_t step) {
  std::array<unsigned char, 8> counter;
  for (std::size_t i = 0; i < counter.size(); ++i) {
    counter[counter.size() - 1 - i] = static_cast<unsigned char>(static_cast<std::uint64_t>(step) >> (8 * i));
  }
  std::array<unsigned char, EVP_MAX_MD_SIZE> mac;
  unsigned int size = 0;
  if (!HMAC(EVP_sha1(), secret.data(), static_cast<int>(secret.size()), counter.data(), counter.size(), mac.data(),
            &size)) {
    throw std::runtime_error("OpenSSL has no HMAC of SHA-1");
  }
  const std::size_t offset = mac[size - 1] & 0xF;
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < 4; ++i) number = number << 8 | mac[offset + i];
  return fmt::format("{:0{}}", (number & 0x7FFF'FFFF) % 1'000'000, kTotpDigits);
}

std::optional<std::int64_t> matching_totp_step(std::string_view secret, std::string_view code, base::Timestamp now,
                                               std::int64_t after) {
  std::string digits(code);
  std::erase(digits, ' ');
  if (digits.size() != kTotpDigits) return {};
  const std::int64_t current = totp_step(now);
  for (const std::int64_t step : {current, current - 1, current + 1}) {
    if (step <= after) continue;
    const std::string expected = totp_code(secret, step);
    if (sodium_memcmp(expected.data(), digits.data(), expected.size()) == 0) return step;
  }
  return {};
}

namespace {

constexpr std::string_view kBase32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

}  // namespace

std::string to_base32(std::string_view bytes) {
  std::string text;
  std::uint32_t waiting = 0;  // its lowest `bits` bits are not written yet
  int bits = 0;
  for (const char byte : bytes) {
    waiting = waiting << 8 | static_cast<unsigned char>(byte);
    for (bits += 8; bits >= 5; bits -= 5) text += kBase32[waiting >> (bits - 5) & 31];
  }
  if (bits > 0) text += kBase32[waiting << (5 - bits) & 31];
  return text;
}

std::optional<std::string> from_base32(std::string_view text) {
  std::string bytes;
  std::uint32_t waiting = 0;  // its lowest `bits` bits are not written yet
  int bits = 0;
  for (const char c : text) {
    if (c == ' ' || c == '=') continue;
    const auto digit = kBase32.find(c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c);
    if (digit == std::string_view::npos) return {};
    waiting = waiting << 5 | static_cast<std::uint32_t>(digit);
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(waiting >> bits & 0xff);
  }
  return bytes;
}

std::string otpauth_url(std::string_view secret, std::string_view issuer, std::string_view account) {
  const std::string home = base::percent_encoded(issuer);
  return fmt::format("otpauth://totp/{}:{}?secret={}&issuer={}", home, base::percent_encoded(account),
                     to_base32(secret), home);
}

}  // namespace hearth::auth
