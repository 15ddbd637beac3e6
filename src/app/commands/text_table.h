// SPDX-License-Identifier: Apache-2.0
// Rows of text in aligned columns, for people.
#pragma once

#include <string>
#include <vector>

namespace hearth::app {

// Every row has as many cells as the first one, the heading. Each line ends with a line break.
std::string format_table(const std::vector<std::vector<std::string>>& rows);

}  // namespace hearth::app
