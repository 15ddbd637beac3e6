// SPDX-License-Identifier: Apache-2.0
// Owners of SQLite's objects, for sources that call SQLite without Database.
#pragma once

#include <sqlite3.h>

#include <memory>

namespace hearth::storage {

struct CloseConnection {
  void operator()(sqlite3* connection) const { sqlite3_close_v2(connection); }
};
struct FinalizeQuery {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Connection = std::unique_ptr<sqlite3, CloseConnection>;
using Query = std::unique_ptr<sqlite3_stmt, FinalizeQuery>;

}  // namespace hearth::storage
