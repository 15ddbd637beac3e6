// SPDX-License-Identifier: Apache-2.0
// What the whole process sets once, before SQLite is first used. Any thread.
#pragma once

namespace hearth::storage {

// Before each sqlite3_open: the first call counts.
void set_up_sqlite();

}  // namespace hearth::storage
