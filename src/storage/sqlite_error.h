// SPDX-License-Identifier: Apache-2.0
// Translates SQLite's result codes for people. Used inside storage only.
#pragma once

#include <string>

#include "base/result.h"

struct sqlite3;

namespace hearth::storage {

// The connection's last failure, which had this code. The message names the file. The code is unavailable if the file
// cannot be used at all, conflict if a constraint was broken, otherwise internal.
base::Error sqlite_error(sqlite3* connection, int code);

// Why the connection's last call failed: the operating system's reason if there is one, otherwise SQLite's.
std::string failure_reason(sqlite3* connection);

}  // namespace hearth::storage
