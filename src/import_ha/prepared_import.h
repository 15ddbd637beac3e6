// SPDX-License-Identifier: Apache-2.0
// An import that was made beside a running hub and waits for its next start: what that start needs to complete it.
// Kept in import.partial/ready.json of the home's folder, which says that all else there is complete.
//
// One thread.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json.h"
#include "base/result.h"
#include "import_ha/import.h"

namespace hearth::import_ha {

constexpr std::string_view kReadyFile = "ready.json";

struct PreparedImport {
  ImportOptions options;              // of the run; without the passphrase
  std::filesystem::path files;        // of the old home, to be read again: its folder, or what was unpacked of a backup
  std::string fingerprint;            // of the source, as the run saw it
  bool keeps_home = false;            // somebody used the home: the import adds to it
  json::object report;                // of the run
  std::vector<std::string> recorded;  // entities that the old history knows
  std::vector<std::string> last_states;  // entities whose last states came
};

// On the disk when it returns. Fails with unavailable.
base::Result<void> write_prepared(const PreparedImport& prepared);
// Null if nothing waits. Fails with unavailable if the file is damaged.
base::Result<std::optional<PreparedImport>> read_prepared(const std::filesystem::path& home);
// The work of finish_import; `options.prepared` is set. Fails as it does.
base::Result<Imported> complete_import(const ImportOptions& options, const ImportHooks& hooks, Report& report);
// No effect if nothing waits. Fails with unavailable.
base::Result<void> forget_prepared(const std::filesystem::path& home);

}  // namespace hearth::import_ha
