// SPDX-License-Identifier: Apache-2.0
// What SQLite's result codes mean to a person. Inside storage only.
#pragma once

#include <string>

#include "base/result.h"

struct sqlite3;

namespace hearth::storage {

// The connection's last failure, which had this code. The message names the file. The code is unavailable where the
// file cannot be used at all, conflict where a constraint was broken, else internal.
base::Error sqlite_error(sqlite3* connection, int code);

// Why the connection's last call failed: the operating system's reason where there is one, else SQLite's.
std::string failure_reason(sqlite3* connection);

}  // namespace hearth::storage
