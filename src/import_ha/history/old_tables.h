// SPDX-License-Identifier: Apache-2.0
// The tables of the old database, whose columns differ by schema. One thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "storage/database.h"

namespace hearth::import_ha {

// Empty if there is no such table.
using OldColumns = std::set<std::string, std::less<>>;
base::Result<OldColumns> old_columns(storage::Database& old, std::string_view table);

// "SELECT a, NULL, c FROM table": NULL for each column that the table has not.
std::string select_old(const OldColumns& has, std::string_view table, const std::vector<std::string_view>& columns);

// The least and the greatest number of a table's rows, and about how many there are: never less. 0 and -1 if there are
// none.
struct OldRange {
  std::int64_t first = 0, last = -1;
  std::uint64_t most = UINT64_MAX;  // that the file has room for
  std::uint64_t size() const { return std::min(static_cast<std::uint64_t>(last - first + 1), most); }
};
base::Result<OldRange> old_range(storage::Database& old, std::string_view table, std::string_view id);

// Reads a table in the order of its numbers, past what is damaged.
class OldPass {
 public:
  using Take = std::function<base::Result<void>(const storage::Statement& row)>;
  // The rows between the two numbers, without these, cannot be read.
  using Lost = std::function<base::Result<void>(std::int64_t after, std::int64_t before)>;

  // The first of the columns is the number. The database must outlive this.
  OldPass(storage::Database& old, const OldColumns& has, std::string table,
          const std::vector<std::string_view>& columns, Take take, Lost lost);

  // Takes each row after the number `at`, up to the number `until`, about `most` at most; rows behind damage may come
  // in any order. Returns the number that it has come to; `until` at the end.
  base::Result<std::int64_t> read(std::int64_t at, std::int64_t until, std::size_t most);

 private:
  struct Range {
    std::int64_t after, before;  // both excluded
    bool backwards = false;
  };
  // True if it reached the end of the range or `most` rows; false at damage. `at` is the number of the last row.
  base::Result<bool> read_range(const Range& range, std::size_t most, std::int64_t& at);
  base::Result<std::int64_t> pass_damage(std::int64_t after, std::int64_t until);

  storage::Database* old_;
  std::string table_, id_, select_;
  Take take_;
  Lost lost_;
};

}  // namespace hearth::import_ha
