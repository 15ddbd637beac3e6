// SPDX-License-Identifier: Apache-2.0
// A short list of names in one string, separated by spaces: "open closed". For constexpr tables. Any thread.
#pragma once

#include <cstddef>
#include <iterator>
#include <string_view>

namespace hearth::core {

class Words {
 public:
  constexpr Words() = default;
  constexpr Words(const char* text) : text_(text) {}  // NOLINT: it reads as a list

  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = std::string_view;
    using difference_type = std::ptrdiff_t;
    using pointer = const std::string_view*;
    using reference = std::string_view;

    constexpr Iterator() = default;
    constexpr explicit Iterator(std::string_view rest) : rest_(rest) {}
    constexpr std::string_view operator*() const { return rest_.substr(0, rest_.find(' ')); }
    constexpr Iterator& operator++() {
      const auto space = rest_.find(' ');
      rest_ = space == std::string_view::npos ? std::string_view() : rest_.substr(space + 1);
      return *this;
    }
    constexpr Iterator operator++(int) {
      const Iterator before = *this;
      ++*this;
      return before;
    }
    constexpr bool operator==(const Iterator& other) const { return rest_.size() == other.rest_.size(); }

   private:
    std::string_view rest_;
  };

  constexpr Iterator begin() const { return Iterator(text_); }
  constexpr Iterator end() const { return {}; }
  constexpr bool empty() const { return text_.empty(); }
  constexpr std::string_view text() const { return text_; }

  constexpr bool contains(std::string_view word) const {
    for (const std::string_view each : *this) {
      if (each == word) return true;
    }
    return false;
  }

 private:
  std::string_view text_;
};

}  // namespace hearth::core
