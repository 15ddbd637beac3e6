// SPDX-License-Identifier: Apache-2.0
// Adds the past of another hub, which was written into one history file, to a later copy of the same home's history.
#pragma once

#include <filesystem>

#include "base/result.h"
#include "storage/database.h"

namespace hearth::recorder {

// Takes from `past` the changes, events and statistics that PastWriter has written there, and puts them into `history`,
// whose own changes stay as they are. Nobody else uses the two files. One transaction; doing it twice changes nothing
// more. Fails with unavailable: if a file cannot be read or written, or `go_on` was false.
base::Result<void> merge_past(const std::filesystem::path& past, const std::filesystem::path& history,
                              const storage::GoOn& go_on);

}  // namespace hearth::recorder
