// SPDX-License-Identifier: Apache-2.0
#include "storage/sqlite_library.h"

#include <sqlite3.h>

namespace hearth::storage {

void set_up_sqlite() {
  // Its count of the memory that it uses takes a lock at each allocation, and nobody asks for it.
  static const int done = sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  static_cast<void>(done);
}

}  // namespace hearth::storage
