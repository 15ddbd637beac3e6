// SPDX-License-Identifier: Apache-2.0
#include "api/frontend/page.h"

#include <fmt/format.h>
#include <sodium.h>

#include <array>

#include "base/text/utf8.h"

namespace hearth::api {
namespace {

using base::ErrorCode;

constexpr std::string_view kFor = "{%- for ", kEndFor = "{%- endfor -%}", kColorMark = "{{ theme_color }}";

std::array<unsigned char, crypto_hash_sha256_BYTES> sha256(std::string_view text) {
  std::array<unsigned char, crypto_hash_sha256_BYTES> hash;
  crypto_hash_sha256(hash.data(), reinterpret_cast<const unsigned char*>(text.data()), text.size());
  return hash;
}

std::string base64_sha256(std::string_view text) {
  const auto hash = sha256(text);
  std::array<char, sodium_base64_ENCODED_LEN(crypto_hash_sha256_BYTES, sodium_base64_VARIANT_ORIGINAL)> encoded;
  sodium_bin2base64(encoded.data(), encoded.size(), hash.data(), hash.size(), sodium_base64_VARIANT_ORIGINAL);
  return encoded.data();
}

std::string hex_sha256(std::string_view text) {
  const auto hash = sha256(text);
  std::array<char, 2 * crypto_hash_sha256_BYTES + 1> encoded;
  sodium_bin2hex(encoded.data(), encoded.size(), hash.data(), hash.size());
  return encoded.data();
}

// The scripts that stand in the page itself.
std::string inline_script_hashes(std::string_view page) {
  constexpr std::string_view begin = "<script", end = "</script>";
  std::string hashes;
  for (std::size_t at = 0; (at = page.find(begin, at)) != std::string_view::npos;) {
    const std::size_t body = page.find('>', at), close = page.find(end, at);
    if (body == std::string_view::npos || close == std::string_view::npos || close < body) break;
    if (!page.substr(at, body - at).contains(" src=") && close > body + 1)
      hashes += fmt::format(" 'sha256-{}'", base64_sha256(page.substr(body + 1, close - body - 1)));
    at = close;
  }
  return hashes;
}

}  // namespace

base::Result<FilledPage> fill_page(std::string_view page, std::string_view theme_color) {
  FilledPage filled;
  for (std::string_view rest = page; !rest.empty();) {
    const std::size_t at = std::min(rest.find("{{"), rest.find("{%"));
    filled.body += rest.substr(0, at);
    if (at == std::string_view::npos) break;
    rest.remove_prefix(at);
    const std::size_t end = rest.starts_with(kFor) ? rest.find(kEndFor) : std::string_view::npos;
    if (rest.starts_with(kColorMark)) {
      filled.body += theme_color;
      rest.remove_prefix(kColorMark.size());
    } else if (end != std::string_view::npos) {
      rest.remove_prefix(end + kEndFor.size());
    } else {
      return base::fail(ErrorCode::invalid, fmt::format("it asks its server for something unknown: {}",
                                                        base::utf8_excerpt(rest.substr(0, 60))));
    }
  }
  filled.digest = hex_sha256(filled.body);
  // Pictures of maps and brands come from other hosts, and so do pages in cards; nothing of these runs in this page.
  filled.policy = fmt::format(
      "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'{}; style-src 'self' 'unsafe-inline'; "
      "img-src 'self' data: blob: https:; font-src 'self' data:; media-src 'self' blob: data:; connect-src 'self' "
      "blob: data:; worker-src 'self' blob:; frame-src 'self' https: http:; manifest-src 'self'; base-uri 'self'; "
      "form-action 'self'; frame-ancestors 'self'",
      inline_script_hashes(filled.body));
  return filled;
}

}  // namespace hearth::api
