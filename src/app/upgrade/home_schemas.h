// SPDX-License-Identifier: Apache-2.0
// All tables of a home: which modules have some in which database. Any thread.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "storage/migrate.h"

namespace hearth::app {

// In the order in which they are copied and changed.
constexpr std::array<std::string_view, 2> kDatabases{"home.db", "history.db"};

// Of the database of that name; empty for any other.
std::vector<storage::Schema> schemas_of(std::string_view database);

}  // namespace hearth::app
