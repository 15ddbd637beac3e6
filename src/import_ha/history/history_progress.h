// SPDX-License-Identifier: Apache-2.0
// The work that a run of the import has done so far, in progress.db of the scratch folder: one JSON object for each
// part of the work, which survives a kill. One thread.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/json/json.h"
#include "base/result.h"
#include "storage/database.h"

namespace hearth::import_ha {

class HistoryProgress {
 public:
  // Entries of another fingerprint are forgotten.
  static base::Result<HistoryProgress> open(const std::filesystem::path& scratch, std::string_view fingerprint);

  // Empty if there is none. Numbers are signed where they fit.
  base::Result<json::object> read(std::string_view part);
  base::Result<void> write(std::string_view part, const json::object& value);
  base::Result<void> remove(std::string_view part);

 private:
  explicit HistoryProgress(storage::Database database) : database_(std::move(database)) {}

  storage::Database database_;
};

}  // namespace hearth::import_ha
