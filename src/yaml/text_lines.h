// SPDX-License-Identifier: Apache-2.0
// The lines of YAML texts that are changed as text. Any thread.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace hearth::yaml {

// Each with its line break.
inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size() - 1) + 1;
    lines.push_back(text.substr(start, end - start));
    start = end;
  }
  return lines;
}

inline std::size_t indentation_of(std::string_view line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

inline bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

// Blank, or nothing but a comment.
inline bool is_remark(std::string_view line) {
  return is_blank(line) || line[indentation_of(line)] == '#';
}

// `name:`, and perhaps a comment, is all of the line.
inline bool is_name_alone(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return false;
  const std::string_view rest = line.substr(colon + 1);
  return is_remark(rest) && (is_blank(rest) || rest.starts_with(' '));
}

// The end of what begins before `next`: blank lines, and comments that stand as far to the left as `column`, belong to
// what follows.
inline std::size_t end_before(const std::vector<std::string>& lines, std::size_t begin, std::size_t next,
                              std::size_t column) {
  std::size_t end = next;
  while (end > begin + 1) {
    const std::string& line = lines[end - 1];
    const std::size_t indentation = indentation_of(line);
    if (!is_blank(line) && !(line[indentation] == '#' && indentation <= column)) break;
    --end;
  }
  return end;
}

}  // namespace hearth::yaml
