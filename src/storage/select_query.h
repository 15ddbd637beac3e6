// SPDX-License-Identifier: Apache-2.0
// A question to a database that may only read. Any thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

#include "base/json/json.h"

namespace hearth::storage {

struct SelectQuery {
  std::string sql;         // one SELECT
  bool first_row = false;  // the first row counts, otherwise the last
  std::chrono::milliseconds time{10'000};
  std::size_t rows = 10'000;          // at most, if the last row counts
  std::size_t row_bytes = 64 * 1024;  // at most, of the texts of a row
};

// The row that counts, by the names of its columns; null if there is none.
using SelectedRow = std::optional<json::object>;

}  // namespace hearth::storage
