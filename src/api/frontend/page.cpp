// SPDX-License-Identifier: Apache-2.0
#include "api/frontend/page.h"

#include <fmt/format.h>

#include "base/digest.h"
#include "base/text/utf8.h"

namespace hearth::api {
namespace {

using base::ErrorCode;

constexpr std::string_view kFor = "{%- for ", kEndFor = "{%- endfor -%}", kColorMark = "{{ theme_color }}";

// The scripts that stand in the page itself.
std::string inline_script_hashes(std::string_view page) {
  constexpr std::string_view begin = "<script", end = "</script>";
  std::string hashes;
  for (std::size_t at = 0; (at = page.find(begin, at)) != std::string_view::npos;) {
    const std::size_t body = page.find('>', at), close = page.find(end, at);
    if (body == std::string_view::npos || close == std::string_view::npos || close < body) break;
    if (!page.substr(at, body - at).contains(" src=") && close > body + 1)
      hashes += fmt::format(" 'sha256-{}'", base::sha256_base64(page.substr(body + 1, close - body - 1)));
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
  filled.digest = base::sha256_hex(filled.body);
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
