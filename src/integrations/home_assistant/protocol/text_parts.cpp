// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/protocol/text_parts.h"

#include <cstring>
#include <utility>

namespace hearth::integrations::home_assistant {

TextParts::TextParts(std::string_view text) : text_(text) {
  skip_blanks();
  if (at_ < text_.size() && text_[at_] == '{')
    close_ = '}';
  else if (at_ < text_.size() && text_[at_] == '[')
    close_ = ']';
  broken_ = ended_ = close_ == '\0';
  ++at_;
}

void TextParts::skip_blanks() {
  while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\r' || text_[at_] == '\t'))
    ++at_;
}

bool TextParts::skip_text() {
  for (++at_; at_ < text_.size(); ++at_) {
    const auto* const quote = static_cast<const char*>(std::memchr(text_.data() + at_, '"', text_.size() - at_));
    if (!quote) break;
    const auto end = static_cast<std::size_t>(quote - text_.data());
    std::size_t escapes = 0;
    while (escapes < end - at_ && text_[end - 1 - escapes] == '\\') ++escapes;
    at_ = end;
    if (escapes % 2 == 0) return ++at_, true;
  }
  return false;
}

bool TextParts::skip_value() {
  std::size_t depth = 0;
  for (const std::size_t begin = at_; at_ < text_.size();) {
    switch (text_[at_]) {
      case '"':
        if (!skip_text()) return false;
        if (depth == 0) return true;
        continue;
      case '{':
      case '[':
        ++depth;
        break;
      case '}':
      case ']':
        if (depth == 0) return at_ > begin;
        if (--depth == 0) return ++at_, true;
        break;
      case ',':
        if (depth == 0) return at_ > begin;
        break;
      case ' ':
      case '\t':
      case '\r':
      case '\n':
        if (depth == 0) return true;
        break;
      default:
        break;
    }
    ++at_;
  }
  return false;
}

std::optional<TextParts::Part> TextParts::fail() {
  broken_ = ended_ = true;
  return {};
}

std::optional<TextParts::Part> TextParts::next() {
  if (ended_) return {};
  skip_blanks();
  if (at_ >= text_.size()) return fail();
  if (text_[at_] == close_ && first_) {
    ended_ = true;
  } else if (!std::exchange(first_, false)) {
    if (text_[at_] == close_) {
      ended_ = true;
    } else {
      if (text_[at_] != ',') return fail();
      ++at_;
      skip_blanks();
    }
  }
  if (ended_) {
    ++at_;
    skip_blanks();
    if (at_ < text_.size()) return fail();
    return {};
  }
  Part part;
  if (close_ == '}') {
    const std::size_t begin = at_;
    if (at_ >= text_.size() || text_[at_] != '"' || !skip_text()) return fail();
    part.key = text_.substr(begin + 1, at_ - begin - 2);
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] != ':') return fail();
    ++at_;
    skip_blanks();
  }
  const std::size_t begin = at_;
  if (!skip_value()) return fail();
  part.value = text_.substr(begin, at_ - begin);
  return part;
}

std::string key_text(std::string_view key) {
  if (key.find('\\') == std::string_view::npos) return std::string(key);
  return unquoted('"' + std::string(key) + '"');
}

std::string unquoted(std::string_view text) {
  if (text.size() < 2 || text.front() != '"') return {};
  if (text.find('\\') == std::string_view::npos) return std::string(text.substr(1, text.size() - 2));
  const auto value = value_of(text);
  return value && value->is_string() ? std::string(value->get_string()) : std::string();
}

std::optional<json::value> value_of(std::string_view text) {
  auto value = base::parse_json(text);
  return value ? std::optional(std::move(*value)) : std::nullopt;
}

json::object object_of(std::string_view text) {
  auto value = value_of(text);
  return value && value->is_object() ? std::move(value->get_object()) : json::object();
}

}  // namespace hearth::integrations::home_assistant
