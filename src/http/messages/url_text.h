// SPDX-License-Identifier: Apache-2.0
// Decodes the text of URLs, and of forms coded like their queries (RFC 3986 §2.1, WHATWG URL §5).
#pragma once

#include <string>
#include <string_view>

namespace hearth::http {

enum class UrlPart {
  path,
  query,  // `+` is a space, and a stray % is kept, as in browsers
};

// Appends the percent-decoded text to `out`. Returns an empty string, or what is wrong with the text: a stray %, a
// control character, invalid UTF-8.
std::string_view decode_url(std::string_view text, UrlPart part, std::string& out);

// The text before the separator; `text` continues after it.
std::string_view take_until(std::string_view& text, char separator);

}  // namespace hearth::http
