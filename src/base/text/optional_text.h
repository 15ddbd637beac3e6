// SPDX-License-Identifier: Apache-2.0
// A text or none, as std::optional<std::string>, in the size of a pointer: the text never changes, and copies share it.
// For the fields of records of which a home has thousands, and of which most are empty. Any thread.
#pragma once

#include <concepts>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

#include "base/shared.h"

namespace hearth::base {

class OptionalText {
 public:
  OptionalText() = default;
  OptionalText(std::nullopt_t) {}
  OptionalText(std::string text) : text_(new Shared<std::string>(std::move(text))) {}
  OptionalText(const char* text) : OptionalText(std::string(text)) {}
  OptionalText(std::optional<std::string> text) {
    if (text) *this = OptionalText(std::move(*text));
  }
  template <std::same_as<std::string_view> Text>
  explicit OptionalText(Text text) : OptionalText(std::string(text)) {}

  bool has_value() const { return text_ != nullptr; }
  explicit operator bool() const { return has_value(); }
  // REQUIRES: it has a value.
  const std::string& operator*() const { return text_->value; }
  const std::string* operator->() const { return &text_->value; }
  std::string value_or(std::string_view otherwise) const { return text_ ? text_->value : std::string(otherwise); }
  void reset() { text_.reset(); }

  friend bool operator==(const OptionalText& a, const OptionalText& b) {
    return a.text_ == b.text_ || (a && b && *a == *b);
  }
  template <std::convertible_to<std::string_view> Text>
  friend bool operator==(const OptionalText& a, const Text& b) {
    return a && *a == std::string_view(b);
  }
  friend bool operator==(const OptionalText& a, std::nullopt_t) { return !a; }
  friend std::ostream& operator<<(std::ostream& out, const OptionalText& text) {
    return out << (text ? std::string_view(*text) : std::string_view("null"));
  }

 private:
  SharedPtr<std::string> text_;
};

}  // namespace hearth::base
