// SPDX-License-Identifier: Apache-2.0
#include "template/language/lexer.h"

#include <fmt/format.h>

#include <algorithm>

#include "template/values/character_names.h"
#include "template/values/failure.h"
#include "template/values/text.h"

namespace hearth::templates {
namespace {

constexpr std::size_t kMaxTokens = 100'000;
// Longer ones first.
constexpr std::string_view kSigns[] = {"//", "**", "==", "!=", ">=", "<=", "+", "-", "/", "*", "%", "~", "[",
                                       "]",  "(",  ")",  "{",  "}",  ">",  "<", "=", ".", ":", "|", ",", ";"};

bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

class Lexer {
 public:
  explicit Lexer(std::string source) : source_(std::move(source)) {}

  std::vector<Token> run() {
    while (position_ < source_.size()) read_data();
    add(TokenKind::end, "");
    return std::move(tokens_);
  }

 private:
  [[noreturn]] void refuse(std::string message, int line) const {
    throw Failure{FailureKind::syntax, std::move(message), line};
  }

  bool at(std::string_view text) const { return std::string_view(source_).substr(position_).starts_with(text); }

  void add(TokenKind kind, std::string text) {
    if (tokens_.size() >= kMaxTokens) refuse(fmt::format("a template may have at most {} tokens", kMaxTokens), line_);
    tokens_.push_back({kind, std::move(text), line_});
  }

  void skip(std::size_t count) {
    line_ += static_cast<int>(std::count(source_.begin() + static_cast<std::ptrdiff_t>(position_),
                                         source_.begin() + static_cast<std::ptrdiff_t>(position_ + count), '\n'));
    position_ += count;
  }

  void skip_space() {
    while (position_ < source_.size() && is_space(static_cast<unsigned char>(source_[position_])) &&
           static_cast<unsigned char>(source_[position_]) < 0x80) {
      skip(1);
    }
  }

  // Text up to the next opening; white space before {%- goes.
  void read_data() {
    std::size_t begin = position_;
    while (true) {
      begin = source_.find('{', begin);
      if (begin == std::string::npos || begin + 1 >= source_.size()) {
        begin = source_.size();
        break;
      }
      if (const char next = source_[begin + 1]; next == '{' || next == '%' || next == '#') break;
      ++begin;
    }
    std::string data = source_.substr(position_, begin - position_);
    const bool strips = begin + 2 < source_.size() && source_[begin + 2] == '-';
    if (strips)
      data.resize(static_cast<std::size_t>(std::find_if_not(data.rbegin(), data.rend(),
                                                            [](char c) {
                                                              return is_space(static_cast<unsigned char>(c)) &&
                                                                     static_cast<unsigned char>(c) < 0x80;
                                                            })
                                               .base() -
                                           data.begin()));
    if (!data.empty()) add(TokenKind::data, std::move(data));
    skip(begin - position_);
    if (position_ >= source_.size()) return;
    const char kind = source_[position_ + 1];
    const bool signed_opening =
        position_ + 2 < source_.size() && (source_[position_ + 2] == '-' || source_[position_ + 2] == '+');
    if (kind == '#') return skip_comment();
    if (kind == '%' && read_raw()) return;
    add(kind == '{' ? TokenKind::print_begin : TokenKind::block_begin, "");
    skip(signed_opening ? 3 : 2);
    read_code(kind == '{' ? "}}" : "%}", kind == '{' ? TokenKind::print_end : TokenKind::block_end);
  }

  void skip_comment() {
    const int line = line_;
    const std::size_t end = source_.find("#}", position_ + 2);
    if (end == std::string::npos) refuse("Missing end of comment tag", line);
    const bool strips = source_[end - 1] == '-' && end - 1 > position_ + 1;
    skip(end + 2 - position_);
    if (strips) skip_space();
  }

  // The length of {% name %} at the position, with its signs; 0 if something else is there.
  std::size_t tag_length(std::size_t position, std::string_view name, bool& strips_before, bool& strips_after) const {
    const std::string_view text = std::string_view(source_).substr(position);
    if (!text.starts_with("{%")) return 0;
    std::size_t i = 2;
    strips_before = i < text.size() && text[i] == '-';
    if (i < text.size() && (text[i] == '-' || text[i] == '+')) ++i;
    const auto spaces = [&] {
      while (i < text.size() && is_space(static_cast<unsigned char>(text[i]))) ++i;
    };
    spaces();
    if (!text.substr(i).starts_with(name)) return 0;
    i += name.size();
    if (i < text.size() && (is_name_start(text[i]) || is_digit(text[i]))) return 0;
    spaces();
    strips_after = i < text.size() && text[i] == '-';
    if (i < text.size() && (text[i] == '-' || text[i] == '+')) ++i;
    return text.substr(i).starts_with("%}") ? i + 2 : 0;
  }

  bool read_raw() {
    bool before, after;
    const std::size_t opening = tag_length(position_, "raw", before, after);
    if (!opening) return false;
    const int line = line_;
    skip(opening);
    if (after) skip_space();
    for (std::size_t at = position_; (at = source_.find("{%", at)) != std::string::npos; at += 2) {
      bool strips, strips_rest;
      const std::size_t closing = tag_length(at, "endraw", strips, strips_rest);
      if (!closing) continue;
      std::string data = source_.substr(position_, at - position_);
      if (strips) data.erase(trimmed_end(data));
      if (!data.empty()) add(TokenKind::data, std::move(data));
      skip(at + closing - position_);
      if (strips_rest) skip_space();
      return true;
    }
    refuse("Missing end of raw directive", line);
  }

  static std::size_t trimmed_end(const std::string& text) {
    std::size_t end = text.size();
    while (end > 0 && is_space(static_cast<unsigned char>(text[end - 1]))) --end;
    return end;
  }

  void read_code(std::string_view closing, TokenKind end) {
    std::string open;  // brackets
    while (true) {
      skip_space();
      if (position_ >= source_.size()) {
        refuse(fmt::format("unexpected end of template, expected '{}'", closing), line_);
      }
      if (open.empty()) {
        const bool strips =
            source_[position_] == '-' && std::string_view(source_).substr(position_ + 1).starts_with(closing);
        const bool keeps =
            source_[position_] == '+' && std::string_view(source_).substr(position_ + 1).starts_with(closing);
        if (strips || keeps || at(closing)) {
          add(end, "");
          skip(closing.size() + (strips || keeps));
          if (strips) skip_space();
          return;
        }
      }
      read_token(open);
    }
  }

  void read_token(std::string& open) {
    const char c = source_[position_];
    if (is_digit(c)) return read_number();
    if (is_name_start(c)) return read_name();
    if (c == '\'' || c == '"') return read_text(c);
    for (const std::string_view sign : kSigns) {
      if (!at(sign)) continue;
      if (sign == "(" || sign == "[" || sign == "{") {
        open += sign == "(" ? ')' : sign == "[" ? ']' : '}';
      } else if (sign == ")" || sign == "]" || sign == "}") {
        if (open.empty()) refuse(fmt::format("unexpected '{}'", sign), line_);
        if (open.back() != sign[0]) refuse(fmt::format("unexpected '{}', expected '{}'", sign, open.back()), line_);
        open.pop_back();
      }
      add(TokenKind::sign, std::string(sign));
      return skip(sign.size());
    }
    std::size_t next = position_;
    next_code_point(source_, next);
    refuse(fmt::format("unexpected char '{}' at {}", source_.substr(position_, next - position_), position_), line_);
  }

  void read_name() {
    const std::size_t start = position_;
    while (position_ < source_.size() && (is_name_start(source_[position_]) || is_digit(source_[position_])))
      ++position_;
    add(TokenKind::name, source_.substr(start, position_ - start));
  }

  // Digits with single underscores between them.
  std::string digits(auto&& accepts) {
    std::string out;
    while (position_ < source_.size()) {
      if (accepts(source_[position_])) {
        out += source_[position_++];
      } else if (source_[position_] == '_' && !out.empty() && position_ + 1 < source_.size() &&
                 accepts(source_[position_ + 1])) {
        ++position_;
      } else {
        break;
      }
    }
    return out;
  }

  void read_number() {
    const auto lower_at = [&](std::size_t i) { return i < source_.size() ? source_[i] | 0x20 : 0; };
    if (source_[position_] == '0' &&
        (lower_at(position_ + 1) == 'x' || lower_at(position_ + 1) == 'o' || lower_at(position_ + 1) == 'b')) {
      const char kind = static_cast<char>(lower_at(position_ + 1));
      const auto accepts = [kind](char c) {
        return kind == 'x' ? std::isxdigit(static_cast<unsigned char>(c)) != 0
                           : c >= '0' && c <= (kind == 'b' ? '1' : '7');
      };
      const std::size_t start = position_;
      position_ += 2;
      if (position_ < source_.size() && source_[position_] == '_') ++position_;
      const std::string read = digits(accepts);
      if (!read.empty()) return add(TokenKind::integer, std::string(1, kind) + read);
      position_ = start;
    }
    std::string text = digits(is_digit);
    bool fraction = false;
    const bool after_dot = position_ > text.size() && source_[position_ - text.size() - 1] == '.';  // x.0.1
    if (!after_dot && position_ + 1 < source_.size() && source_[position_] == '.' && is_digit(source_[position_ + 1])) {
      ++position_;
      text += '.' + digits(is_digit);
      fraction = true;
    }
    if (!after_dot && lower_at(position_) == 'e') {
      std::size_t next = position_ + 1;
      if (next < source_.size() && (source_[next] == '+' || source_[next] == '-')) ++next;
      if (next < source_.size() && is_digit(source_[next])) {
        text += source_.substr(position_, next - position_);
        position_ = next;
        text += digits(is_digit);
        fraction = true;
      }
    }
    if (!fraction && text.size() > 1 && text[0] == '0' && text.find_first_not_of('0') != std::string::npos) {
      // 010 is two tokens, as in Jinja2.
      add(TokenKind::integer, "0");
      text.erase(0, 1);
    }
    add(fraction ? TokenKind::number : TokenKind::integer, std::move(text));
  }

  void read_text(char quote) {
    const int line = line_;
    std::size_t end = position_ + 1;
    while (end < source_.size() && source_[end] != quote) end += source_[end] == '\\' ? 2 : 1;
    if (end >= source_.size()) refuse(fmt::format("unexpected char '{}' at {}", quote, position_), line);
    const std::string inner = source_.substr(position_ + 1, end - position_ - 1);
    add(TokenKind::text, unescaped(inner, line));
    skip(end + 1 - position_);
  }

  std::string unescaped(std::string_view text, int line) const {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] != '\\' || i + 1 == text.size()) {
        out += text[i];
        continue;
      }
      const char c = text[++i];
      constexpr std::string_view letters = "abfnrtv\\'\"", meanings = "\a\b\f\n\r\t\v\\'\"";
      if (const auto found = letters.find(c); found != std::string_view::npos) {
        out += meanings[found];
      } else if (c == '\n') {
        continue;
      } else if (c == 'x' || c == 'u' || c == 'U') {
        const std::size_t length = c == 'x' ? 2 : c == 'u' ? 4 : 8;
        char32_t code = 0;
        for (std::size_t k = 1; k <= length; ++k) {
          const char digit = i + k < text.size() ? text[i + k] : ' ';
          if (!std::isxdigit(static_cast<unsigned char>(digit))) refuse("a truncated escape in a text", line);
          code = code * 16 + static_cast<char32_t>(is_digit(digit) ? digit - '0' : (digit | 0x20) - 'a' + 10);
        }
        if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) refuse("an escape in a text is no character", line);
        append_code_point(out, code);
        i += length;
      } else if (c >= '0' && c <= '7') {
        char32_t code = 0;
        std::size_t k = 0;
        for (; k < 3 && i + k < text.size() && text[i + k] >= '0' && text[i + k] <= '7'; ++k)
          code = code * 8 + static_cast<char32_t>(text[i + k] - '0');
        append_code_point(out, code);
        i += k - 1;
      } else if (c == 'N') {
        const std::size_t end = i + 1 < text.size() && text[i + 1] == '{' ? text.find('}', i + 2) : text.npos;
        if (end == text.npos)
          refuse("malformed \\N character escape: expected \\N{NAME}, such as \\N{DEGREE SIGN}", line);
        const std::string_view name = text.substr(i + 2, end - i - 2);
        const auto code = character_named(name);
        if (!code) refuse(fmt::format("unknown Unicode character name '{}' in \\N{{…}}", name.substr(0, 100)), line);
        append_code_point(out, *code);
        i = end;
      } else {
        out += '\\';
        out += c;
      }
    }
    return out;
  }

  std::string source_;
  std::size_t position_ = 0;
  int line_ = 1;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> read_tokens(std::string_view source) {
  std::string text;
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (source[i] != '\r') {
      text += source[i];
      continue;
    }
    text += '\n';
    if (i + 1 < source.size() && source[i + 1] == '\n') ++i;
  }
  if (text.ends_with('\n')) text.pop_back();
  return Lexer(std::move(text)).run();
}

}  // namespace hearth::templates
