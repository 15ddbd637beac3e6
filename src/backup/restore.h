// SPDX-License-Identifier: Apache-2.0
// Replaces a home by a backup: at once if there is no home yet; otherwise a running hub prepares it and the next start
// completes it.
//
// One thread at a time for each folder.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "backup/backup_reader.h"
#include "base/result.h"

namespace hearth::backup {

// Unpacks the backup into the folder, which must be missing or empty. On failure nothing changes. A killed process
// leaves a folder that is missing, or empty except for its unpacked files, or that finish_restore completes. Fails as
// reading does, with invalid if the folder is not empty, with unavailable.
base::Result<Manifest> restore_home(const BackupToRead& backup, const std::filesystem::path& folder);

// The person who asked for a restore, and the time.
struct Asked {
  std::string by;  // a user's display name; empty if the home had no user
  base::Timestamp at;
  std::string file = {};  // what they call the backup; empty: the name of its file
};

// Unpacks the backup beside the home in the folder, verified and complete, for finish_restore. `check` may refuse the
// unpacked files. `time` names the folder of the present home: before-restore-<time>.
base::Result<Manifest> prepare_restore(const BackupToRead& backup, const std::filesystem::path& folder,
                                       const std::string& time,
                                       const std::function<base::Result<void>(const std::filesystem::path&)>& check,
                                       const Asked& asked = {});

// The restore that made the present home what it is.
struct Restored {
  std::string backup;   // the name of its file
  std::string created;  // the backup; a time as text, as the next
  std::string version;  // of the hub that made it
  std::string home;     // its name
  std::string asked_at;
  std::string asked_by;  // empty if the home had no user
  std::string before;    // the folder with what was there
};

// Turns a folder within `folder` that has the new home in its folder `files`, and nothing else that matters, into a
// prepared restore. With `configuration` the user's files are replaced, otherwise only the databases. `time` as above.
// Returns the name of the folder for what is there. Fails with invalid if another restore waits, with unavailable.
base::Result<std::string> prepare_exchange(const std::filesystem::path& folder, const std::filesystem::path& made,
                                           const std::string& time, bool configuration, Restored shown);

// Call once at each start, before anything opens the home: completes a prepared restore. The databases, and the user's
// files if the backup has them, move to before-restore-<time>, and those of the backup into their place, one after the
// other; if killed at any moment, it continues at the next start. Removes what was not completely unpacked. Null if
// nothing was prepared, otherwise what to log. Fails with unavailable.
//
// `go_on` is called before each step, for tests; false stops there.
base::Result<std::optional<std::string>> finish_restore(
    const std::filesystem::path& folder, const storage::GoOn& go_on = [] { return true; });

// Null if none was completed by finish_restore, or it is not known any more.
std::optional<Restored> last_restore(const std::filesystem::path& folder);

}  // namespace hearth::backup
