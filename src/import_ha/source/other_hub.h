// SPDX-License-Identifier: Apache-2.0
// The signs by which a running hub of the other kind is known. Any thread.
#pragma once

#include <filesystem>
#include <string>

namespace hearth::import_ha {

struct RunningSign {
  bool running = false;
  std::string text;  // how that was seen
};

// Looks at the lock of .ha_run.lock, which stays after a stop, and at the log of the database of history; makes and
// changes neither. `folder` is canonical.
RunningSign find_running(const std::filesystem::path& folder);

}  // namespace hearth::import_ha
