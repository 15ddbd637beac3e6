// SPDX-License-Identifier: Apache-2.0
// Opens the old hub's database in the way that changes nothing and misses nothing: as it is if nobody writes to it, in
// one read transaction if somebody does, or as a copy of it and its log.
//
// One thread.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>

#include "base/result.h"
#include "import_ha/source/old_database.h"
#include "storage/database.h"

namespace hearth::import_ha {

class OldDatabaseOpener {
 public:
  struct Request {
    std::filesystem::path file;     // canonical
    std::string name;               // for messages
    std::filesystem::path scratch;  // a folder for a copy; made if needed, mode 0700
    bool running = false;           // the old hub may run
    bool accept_newer = false;      // also newer schemas that have all columns
    storage::GoOn go_on;
    std::chrono::steady_clock::duration moment;
  };
  // Fails as Source::open_history does.
  static base::Result<OldDatabase> open(const Request& request);

 private:
  static base::Result<OldDatabase> open_in_use(const Request& request);
  static base::Result<OldDatabase> open_copy(const Request& request);
  static base::Result<OldDatabase> open_still(const Request& request);
  static base::Result<OldDatabase> begun(OldDatabase database);
  static base::Result<void> find_schema(OldDatabase& database, const Request& request);
};

}  // namespace hearth::import_ha
