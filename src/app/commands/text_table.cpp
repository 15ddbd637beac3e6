// SPDX-License-Identifier: Apache-2.0
#include "app/commands/text_table.h"

#include <fmt/format.h>

#include <algorithm>

namespace hearth::app {
namespace {

// The width as fmt counts it, which knows wide characters: the padding it leaves out.
std::size_t width_of(const std::string& cell) {
  constexpr std::size_t wide = 1'000;
  return cell.size() + wide - fmt::formatted_size("{:<{}}", cell, wide);
}

}  // namespace

std::string format_table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) line += fmt::format("{:<{}}  ", row[i], widths[i]);
    text.append(line, 0, line.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text;
}

}  // namespace hearth::app
