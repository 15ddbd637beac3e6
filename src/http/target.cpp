// SPDX-License-Identifier: Apache-2.0
#include "http/target.h"

#include <algorithm>
#include <boost/beast/core/string.hpp>

#include "base/utf8.h"

namespace hearth::http {
namespace {

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

enum class Part { path, query };

// Empty where all is well, else what is wrong. In a query a `+` is a space, and a stray % stands for itself, as in
// browsers.
std::string_view decode(std::string_view text, Part part, std::string& out) {
  // Nearly all texts stand for themselves and are taken whole.
  const auto special = std::find_if(text.begin(), text.end(),
                                    [](unsigned char c) { return c < 0x20 || c >= 0x7F || c == '%' || c == '+'; });
  out.assign(text.begin(), special);
  bool ascii = true;
  for (std::size_t i = out.size(); i < text.size(); ++i) {
    char c = text[i];
    if (c == '%') {
      const int high = i + 2 < text.size() ? hex_value(text[i + 1]) : -1;
      const int low = i + 2 < text.size() ? hex_value(text[i + 2]) : -1;
      if (high >= 0 && low >= 0) {
        c = static_cast<char>(high << 4 | low);
        i += 2;
      } else if (part == Part::path) {
        return "a stray %";
      }
    } else if (c == '+' && part == Part::query) {
      c = ' ';
    }
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F) return "a control character";
    ascii &= byte < 0x80;
    out += c;
  }
  if (!ascii && !base::utf8_length(out)) return "text that is not UTF-8";
  return {};
}

base::Result<void> wrong(std::string_view what) {
  return base::fail(base::ErrorCode::invalid, "Invalid request target: it has " + std::string(what) + ".");
}

// Cuts `text` at the separator and moves behind it.
std::string_view take_until(std::string_view& text, char separator) {
  const auto end = std::min(text.find(separator), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

}  // namespace

void Target::clear() {
  constexpr std::size_t kKept = 32;
  if (segments_.size() > kKept) segments_.erase(segments_.begin() + kKept, segments_.end());
  size_ = 0;
  query_.clear();
}

std::optional<std::string_view> Target::query(std::string_view name) const {
  for (const auto& [key, value] : query_) {
    if (key == name) return value;
  }
  return {};
}

base::Result<void> Target::parse(std::string_view text) {
  clear();
  if (text.find('#') != std::string_view::npos) return wrong("a fragment");
  if (text != "*" && !text.starts_with('/')) {
    // Absolute form, RFC 9112 §3.2.2: what stands before the path names us.
    const auto scheme = std::min(text.find("://"), text.size());
    if (!boost::beast::iequals(text.substr(0, scheme), "http") &&
        !boost::beast::iequals(text.substr(0, scheme), "https")) {
      return wrong("no path");
    }
    const auto path = text.find_first_of("/?", scheme + 3);
    text = path == std::string_view::npos ? std::string_view("/") : text.substr(path);
  }

  const auto question = std::min(text.find('?'), text.size());
  std::string_view path = text.substr(0, question);
  std::string_view query = text.substr(std::min(question + 1, text.size()));

  if (path.starts_with('/')) path.remove_prefix(1);
  for (bool more = true; more;) {
    more = path.find('/') != std::string_view::npos;
    if (segments_.size() == size_) segments_.emplace_back();
    std::string& segment = segments_[size_];
    if (const auto problem = decode(take_until(path, '/'), Part::path, segment); !problem.empty())
      return wrong(problem);
    if (segment == "..") return wrong("a segment ..");
    ++size_;
  }
  while (!query.empty()) {
    std::string_view pair = take_until(query, '&');
    if (pair.empty()) continue;
    auto& [name, value] = query_.emplace_back();
    const std::string_view raw_name = take_until(pair, '=');
    for (const auto& [raw, out] : {std::pair{raw_name, &name}, std::pair{pair, &value}}) {
      if (const auto problem = decode(raw, Part::query, *out); !problem.empty()) return wrong(problem);
    }
  }
  return {};
}

}  // namespace hearth::http
