// SPDX-License-Identifier: Apache-2.0
// Puts a backup in the place of a home: at once where there is none yet, else in two parts, so that a running hub can
// prepare it and the next start carries it out.
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

// Puts all that is in the backup into the folder, which must be missing or empty. Where anything fails nothing has
// changed. A program that is killed leaves a folder that is missing or empty, but for what it had unpacked, or one that
// finish_restore completes. Fails as reading does, with invalid where the folder holds something, with unavailable.
base::Result<Manifest> restore_home(const BackupToRead& backup, const std::filesystem::path& folder);

// Unpacks the backup beside the home in the folder, verified and complete, so that finish_restore puts it in its place.
// `check` may refuse what was unpacked. `time` names what is there before: before-restore-<time>.
base::Result<Manifest> prepare_restore(const BackupToRead& backup, const std::filesystem::path& folder,
                                       const std::string& time,
                                       const std::function<base::Result<void>(const std::filesystem::path&)>& check);

// Once at each start, before any of the home is opened: carries out what was prepared. The databases, and where the
// backup has them the user's files, move to before-restore-<time>, and those of the backup into their place, one after
// the other; killed at any moment, it goes on at the next start. What was not unpacked to the end is removed. Nothing
// where nothing was prepared, else what to say about it. Fails with unavailable.
//
// `go_on` is asked before each step, for tests: false ends it there.
base::Result<std::optional<std::string>> finish_restore(
    const std::filesystem::path& folder, const storage::GoOn& go_on = [] { return true; });

}  // namespace hearth::backup
