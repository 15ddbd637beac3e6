// SPDX-License-Identifier: Apache-2.0
// The files of the old hub's folder that an import reads. Any thread.
#pragma once

#include <string_view>

namespace hearth::import_ha {

enum class Need { none, file, database };

// Of a path relative to the folder, with `/` between its parts. A database is one that may hold history, or its log.
Need need_of(std::string_view path);
// False for folders, named likewise, below which nothing is needed.
bool may_hold_needed(std::string_view folder);

// The database of history, if the configuration names no other.
constexpr std::string_view kHistoryFile = "home-assistant_v2.db";

}  // namespace hearth::import_ha
