// SPDX-License-Identifier: Apache-2.0
#include "import_ha/files/line_edits.h"

#include <fmt/format.h>

#include <algorithm>

#include "yaml/text_lines.h"

namespace hearth::import_ha {

// Behind a blank line, or at the beginning, as the text will be.
bool LineEdits::stands_apart(std::size_t line) const {
  while (line > 0 && lines_[line - 1].fate == Line::Fate::goes) --line;
  return line == 0 || (lines_[line - 1].fate != Line::Fate::replaced && yaml::is_blank(text_.lines[line - 1]));
}

void LineEdits::remove(const yaml::LineRange& range) {
  std::size_t end = range.end;
  const bool apart = stands_apart(range.begin);
  while (apart && end < lines_.size() && yaml::is_blank(text_.lines[end])) ++end;
  for (std::size_t line = range.begin; line < end; ++line) lines_[line].fate = Line::Fate::goes;
  changed_ = true;
}

void LineEdits::comment_out(const yaml::LineRange& range, std::size_t column, std::string_view reason) {
  for (std::size_t line = range.begin; line < range.end; ++line) {
    if (lines_[line].fate == Line::Fate::stays) lines_[line] = {Line::Fate::comment, column, {}};
  }
  if (!reason.empty())
    lines_[range.begin].before += text_.made(fmt::format("{}# {}\n", std::string(column, ' '), reason));
  changed_ = true;
}

void LineEdits::replace(const yaml::LineRange& range, const std::string& by) {
  for (std::size_t line = range.begin; line < range.end; ++line) lines_[line].fate = Line::Fate::replaced;
  lines_[range.begin].before += text_.made(by);
  changed_ = true;
}

std::string LineEdits::made() const {
  std::string made;
  for (std::size_t line = 0; line < lines_.size(); ++line) {
    const Line& edit = lines_[line];
    const std::string& text = text_.lines[line];
    made += edit.before;
    if (edit.fate == Line::Fate::goes || edit.fate == Line::Fate::replaced) continue;
    if (edit.fate == Line::Fate::stays || yaml::is_blank(text)) {
      made += text;
      continue;
    }
    const std::size_t at = std::min(edit.column, yaml::indentation_of(text));
    made += text.substr(0, at) + "# " + text.substr(at);
  }
  return made;
}

yaml::LineRange with_comments_above(const yaml::YamlText& text, const yaml::LineRange& range, std::size_t column) {
  std::size_t begin = range.begin;
  while (begin > 0) {
    const std::string& above = text.lines[begin - 1];
    if (yaml::is_blank(above) || above[yaml::indentation_of(above)] != '#' || yaml::indentation_of(above) != column)
      break;
    --begin;
  }
  return {begin == 0 ? range.begin : begin, range.end};
}

}  // namespace hearth::import_ha
