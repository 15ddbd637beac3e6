// SPDX-License-Identifier: Apache-2.0
// Process-wide settings of SQLite. Any thread.
#pragma once

namespace hearth::storage {

// Call before each sqlite3_open; only the first call has an effect.
void set_up_sqlite();

}  // namespace hearth::storage
