// SPDX-License-Identifier: Apache-2.0
// An id: a short string stored inline, so that copying allocates nothing, and that needs no escaping in JSON. Any
// thread.
#pragma once

#include <array>
#include <compare>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <ostream>
#include <string_view>

namespace hearth::base {

class Id {
 public:
  static constexpr std::size_t kMaxLength = 36;  // as a UUID with its dashes; a ULID has 26

  Id() {}
  // Printable ASCII except `"` and `\`, at most kMaxLength characters. Anything else is cut before the first character
  // that is not allowed: callers pass valid ids only.
  template <std::convertible_to<std::string_view> Text>
    requires(!std::same_as<Text, Id>)
  Id(const Text& text) {
    for (const char c : std::string_view(text)) {
      if (length_ == kMaxLength || c < 0x20 || c > 0x7E || c == '"' || c == '\\') break;
      text_[length_++] = c;
    }
  }

  // write(char*) writes all `length` characters, at most kMaxLength, all of them allowed.
  template <class Write>
  static Id written(std::size_t length, Write&& write) {
    Id id;
    write(id.text_.data());
    id.length_ = static_cast<std::uint8_t>(length);
    return id;
  }

  // Writes the id to a buffer with room for kMaxLength characters; returns the end of what it wrote.
  char* copy(char* to) const {
    std::memcpy(to, text_.data(), kMaxLength);  // a constant size, which compiles to a few moves
    return to + length_;
  }

  std::string_view str() const { return {text_.data(), length_}; }
  operator std::string_view() const { return str(); }
  bool empty() const { return length_ == 0; }

  friend bool operator==(const Id& a, const Id& b) { return a.str() == b.str(); }
  friend auto operator<=>(const Id& a, const Id& b) { return a.str() <=> b.str(); }
  template <std::convertible_to<std::string_view> Text>
    requires(!std::same_as<Text, Id>)
  friend bool operator==(const Id& id, const Text& text) {
    return id.str() == std::string_view(text);
  }
  friend std::ostream& operator<<(std::ostream& out, const Id& id) { return out << id.str(); }

 private:
  std::array<char, kMaxLength> text_;  // the first `length_` are set
  std::uint8_t length_ = 0;
};

}  // namespace hearth::base
