// SPDX-License-Identifier: Apache-2.0
#include "http/messages/form.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/beast/http/rfc7230.hpp>

#include "base/text/text.h"
#include "base/text/utf8.h"
#include "http/messages/url_text.h"

namespace hearth::http {
namespace {

using base::equals_ignoring_case;

constexpr std::string_view kEnd = "\r\n";
constexpr std::size_t kMaxBoundary = 70;  // RFC 2046 §5.1.1

std::unexpected<base::Error> invalid(std::string_view what) {
  return base::fail(base::ErrorCode::invalid, fmt::format("Invalid form: {}.", what));
}

// The value of one parameter of `text/x; a=b; c="d"` and the like.
std::optional<std::string> parameter(std::string_view field, std::string_view name) {
  const auto start = field.find(';');
  if (start == std::string_view::npos) return {};
  for (const auto& [key, value] : boost::beast::http::param_list(field.substr(start))) {
    if (equals_ignoring_case(key, name)) return std::string(value);
  }
  return {};
}

// The text before the marker; `text` continues after it. Null if the marker is absent.
std::optional<std::string_view> take_line(std::string_view& text, std::string_view marker) {
  const auto at = text.find(marker);
  if (at == std::string_view::npos) return {};
  const std::string_view line = text.substr(0, at);
  text.remove_prefix(at + marker.size());
  return line;
}

}  // namespace

std::optional<std::string_view> Form::field(std::string_view name) const {
  for (const auto& [key, value] : fields_) {
    if (key == name) return value;
  }
  return {};
}

base::Result<Form> Form::parse(std::string_view content_type, std::string_view body) {
  const std::string_view type = base::trim_blanks(content_type.substr(0, content_type.find(';')));
  Form form;
  base::Result<void> parsed;
  if (type.empty() || equals_ignoring_case(type, "application/x-www-form-urlencoded")) {
    parsed = form.parse_urlencoded(body);
  } else if (equals_ignoring_case(type, "multipart/form-data")) {
    const auto boundary = parameter(content_type, "boundary");
    if (!boundary || boundary->empty() || boundary->size() > kMaxBoundary) {
      return invalid("its Content-Type names no boundary of 1 to 70 characters");
    }
    parsed = form.parse_multipart(*boundary, body);
  } else {
    return invalid("the Content-Type must be application/x-www-form-urlencoded or multipart/form-data");
  }
  if (!parsed) return std::unexpected(parsed.error());
  return form;
}

base::Result<void> Form::parse_urlencoded(std::string_view body) {
  while (!body.empty()) {
    std::string_view pair = take_until(body, '&');
    if (pair.empty()) continue;
    const std::string_view raw_name = take_until(pair, '=');
    std::string name, value;
    for (const auto& [raw, out] : {std::pair{raw_name, &name}, std::pair{pair, &value}}) {
      if (const auto problem = decode_url(raw, UrlPart::query, *out); !problem.empty()) {
        return invalid(fmt::format("it has {}", problem));
      }
    }
    if (const auto added = add(std::move(name), std::move(value)); !added) return added;
  }
  return {};
}

base::Result<void> Form::parse_multipart(std::string_view boundary, std::string_view body) {
  // Nothing may come before the first delimiter: no client sends a preamble.
  const std::string delimiter = fmt::format("\r\n--{}", boundary);
  if (!body.starts_with(std::string_view(delimiter).substr(kEnd.size()))) {
    return invalid("its body does not start with the boundary");
  }
  body.remove_prefix(delimiter.size() - kEnd.size());
  while (!body.starts_with("--")) {
    if (!body.starts_with(kEnd)) return invalid("a boundary is followed by something else than a line's end");
    body.remove_prefix(kEnd.size());
    std::optional<std::string> name;
    for (;;) {
      std::optional<std::string_view> line = take_line(body, kEnd);
      if (!line) return invalid("a part's head has no end");
      if (line->empty()) break;
      const std::string_view field = base::trim_blanks(take_until(*line, ':'));
      if (equals_ignoring_case(field, "Content-Disposition")) {
        if (equals_ignoring_case(base::trim_blanks(line->substr(0, line->find(';'))), "form-data"))
          name = parameter(*line, "name");
      } else if (equals_ignoring_case(field, "Content-Transfer-Encoding")) {
        return invalid("a part has a Content-Transfer-Encoding, which no form has (RFC 7578 §4.7)");
      }
    }
    if (!name) return invalid("a part has no Content-Disposition: form-data with a name");
    const auto value = take_line(body, delimiter);
    if (!value) return invalid("its body does not end with the boundary");
    if (const auto added = add(std::move(*name), std::string(*value)); !added) return added;
  }
  return {};
}

base::Result<void> Form::add(std::string name, std::string value) {
  if (name.empty()) return invalid("a field has no name");
  for (const std::string* text : {&name, &value}) {
    const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; };
    if (!base::utf8_length(*text)) return invalid("it has text that is not UTF-8");
    if (std::any_of(text->begin(), text->end(), is_control)) return invalid("it has a control character");
  }
  if (field(name)) return invalid(fmt::format("the field {} comes twice", base::utf8_excerpt(name)));
  if (fields_.size() == kMaxFields) return invalid(fmt::format("it has more than {} fields", kMaxFields));
  fields_.emplace_back(std::move(name), std::move(value));
  return {};
}

}  // namespace hearth::http
