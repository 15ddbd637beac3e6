// SPDX-License-Identifier: Apache-2.0
#include "base/json/json_elements.h"

#include <algorithm>

namespace hearth::base {

void JsonElements::skip_blanks() {
  at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size());
}

std::string_view JsonElements::next() {
  const std::size_t start = at_;
  std::size_t depth = 0;
  bool in_text = false;
  for (; at_ < text_.size(); ++at_) {
    const char c = text_[at_];
    if (in_text) {
      if (c == '\\')
        ++at_;
      else if (c == '"')
        in_text = false;
    } else if (c == '"') {
      in_text = true;
    } else if (c == '[' || c == '{') {
      ++depth;
    } else if (depth == 0 && (c == ',' || c == ']')) {
      break;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  const std::string_view element = std::string_view(text_).substr(start, at_ - start);
  if (at_ < text_.size() && text_[at_] == ',') {
    ++at_;
    skip_blanks();
  }
  return element;
}

}  // namespace hearth::base
