// SPDX-License-Identifier: Apache-2.0
// The elements of a JSON array as texts, one after the other: for those who go through a long one in turns and keep
// only its text. Each byte is looked at once.
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

  // Whether there is no more.
  bool empty() const { return at_ >= text_.size() || text_[at_] == ']'; }
  // The next element. Valid as long as this is. REQUIRES: !empty().
  std::string_view next();

 private:
  void skip_blanks();

  std::string text_;
  std::size_t at_ = 0;  // of the next element, or the end
};

}  // namespace hearth::base
