// SPDX-License-Identifier: Apache-2.0
// A text whose lines go, are commented out or are replaced, while all others stay byte for byte. One thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "yaml/item_lines.h"
#include "yaml/yaml_text.h"

namespace hearth::import_ha {

class LineEdits {
 public:
  // The text must outlive this.
  explicit LineEdits(const yaml::YamlText& text) : text_(text), lines_(text.lines.size()) {}

  // Also the blank lines behind it, if one stands before it.
  void remove(const yaml::LineRange& range);
  // `column`: where its first key or dash stands. `reason`: a comment before it; may be empty.
  void comment_out(const yaml::LineRange& range, std::size_t column, std::string_view reason);
  // `by` has its line breaks as \n.
  void replace(const yaml::LineRange& range, const std::string& by);

  bool is_changed() const { return changed_; }
  // The lines without edits, as they stand.
  std::string original(const yaml::LineRange& range) const { return text_.joined(range.begin, range.end); }
  std::string made() const;

 private:
  bool stands_apart(std::size_t line) const;

  struct Line {
    enum class Fate { stays, goes, replaced, comment } fate = Fate::stays;
    std::size_t column = 0;
    std::string before = {};  // whole lines
  };

  const yaml::YamlText& text_;
  std::vector<Line> lines_;
  bool changed_ = false;
};

// The range with the comments that stand directly above it, in the same column; not those of the file's beginning.
yaml::LineRange with_comments_above(const yaml::YamlText& text, const yaml::LineRange& range, std::size_t column);

}  // namespace hearth::import_ha
