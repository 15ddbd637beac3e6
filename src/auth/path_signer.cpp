// SPDX-License-Identifier: Apache-2.0
#include "auth/path_signer.h"

#include <fmt/format.h>
#include <sodium.h>

#include <charconv>

namespace hearth::auth {

PathSigner::PathSigner(const base::Clock& clock) : clock_(clock) {
  static_assert(sizeof key_ == crypto_auth_hmacsha256_KEYBYTES);
  randombytes_buf(key_.data(), key_.size());
}

std::string PathSigner::mac(std::string_view token_and_time, std::string_view subject) const {
  // Neither part has a zero byte: different pairs give different texts.
  const std::string text = fmt::format("{}{}{}", token_and_time, '\0', subject);
  std::array<std::uint8_t, crypto_auth_hmacsha256_BYTES> bytes;
  crypto_auth_hmacsha256(bytes.data(), reinterpret_cast<const unsigned char*>(text.data()), text.size(), key_.data());
  std::string encoded(sodium_base64_ENCODED_LEN(bytes.size(), sodium_base64_VARIANT_URLSAFE_NO_PADDING), '\0');
  sodium_bin2base64(encoded.data(), encoded.size(), bytes.data(), bytes.size(),
                    sodium_base64_VARIANT_URLSAFE_NO_PADDING);
  encoded.pop_back();  // the terminating zero
  return encoded;
}

std::string PathSigner::sign(std::string_view token_id, std::string_view subject, base::Duration life) const {
  const base::SteadyTime end = clock_.steady_now() + life;
  std::string signature = fmt::format("{}.{}", token_id, end.time_since_epoch().count());
  const std::string code = mac(signature, subject);
  return signature.append(".").append(code);
}

std::optional<std::string_view> PathSigner::verify(std::string_view signature, std::string_view subject) const {
  const auto last_dot = signature.rfind('.');
  if (last_dot == std::string_view::npos) return {};
  const std::string_view token_and_time = signature.substr(0, last_dot);
  const std::string_view shown = signature.substr(last_dot + 1);
  const std::string expected = mac(token_and_time, subject);
  if (shown.size() != expected.size() || sodium_memcmp(shown.data(), expected.data(), shown.size()) != 0) return {};

  const auto dot = token_and_time.find('.');
  if (dot == std::string_view::npos) return {};
  std::int64_t end = 0;
  const std::string_view time = token_and_time.substr(dot + 1);
  std::from_chars(time.data(), time.data() + time.size(), end);
  if (clock_.steady_now() >= base::SteadyTime(base::Duration(end))) return {};
  return token_and_time.substr(0, dot);
}

}  // namespace hearth::auth
