// SPDX-License-Identifier: Apache-2.0
#include "import_ha/files/left_behind.h"

#include <fmt/format.h>

#include "yaml/text_lines.h"

namespace hearth::import_ha {

void LeftBehind::add(std::string_view title, std::string_view reason, std::string_view lines) {
  text_ += fmt::format("\n# {}\n# {}\n#\n", title, reason);
  std::string whole(lines);
  if (!whole.empty() && !whole.ends_with('\n')) whole += '\n';
  for (const std::string& line : yaml::lines_of(whole)) text_ += (yaml::is_blank(line) ? "#" : "# ") + line;
}

std::string LeftBehind::text() const {
  return "# What the configuration of the old hub has and this one does not read, as it stood there, commented out.\n"
         "# Nothing reads this file: look up in it what you make anew, then delete it.\n" +
         text_;
}

}  // namespace hearth::import_ha
