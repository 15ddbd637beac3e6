// SPDX-License-Identifier: Apache-2.0
// The text of URLs and of forms that are coded like their queries (RFC 3986 §2.1, WHATWG URL §5).
#pragma once

#include <string>
#include <string_view>

namespace hearth::http {

enum class UrlPart {
  path,
  query,  // a `+` is a space, and a stray % stands for itself, as in browsers
};

// Percent-decodes, to the end of `out`. Empty where all is well, else what the text has that it may not: a stray %, a
// control character, text that is not UTF-8.
std::string_view decode_url(std::string_view text, UrlPart part, std::string& out);

// What stands before the separator; `text` goes on behind it.
std::string_view take_until(std::string_view& text, char separator);

}  // namespace hearth::http
