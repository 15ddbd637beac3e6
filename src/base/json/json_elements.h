// SPDX-License-Identifier: Apache-2.0
// The elements of a JSON array as JSON texts, one after the other: for readers that go through a long array step by
// step and keep only its text. Looks at each byte once.
//
// One thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace hearth::base {

class JsonElements {
 public:
  JsonElements() = default;
  // REQUIRES: the text of a JSON array, as parse_json takes it.
  explicit JsonElements(std::string array) : text_(std::move(array)), at_(text_.find('[') + 1) { skip_blanks(); }

  // True if no element is left.
  bool empty() const { return at_ >= text_.size() || text_[at_] == ']'; }
  // The next element; valid as long as this object. REQUIRES: !empty().
  std::string_view next();

 private:
  void skip_blanks();

  std::string text_;
  std::size_t at_ = 0;  // of the next element, or the end of the array
};

}  // namespace hearth::base
