// SPDX-License-Identifier: Apache-2.0
#include "storage/sqlite_library.h"

#include <sqlite3.h>

namespace hearth::storage {

void set_up_sqlite() {
  // SQLite's memory statistics take a lock at each allocation, and nobody reads them.
  static const int done = sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  static_cast<void>(done);
}

}  // namespace hearth::storage
