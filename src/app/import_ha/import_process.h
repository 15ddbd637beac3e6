// SPDX-License-Identifier: Apache-2.0
// Runs `hearth import-ha` beside the hub, in a process of its own at low priority. Any thread that may wait.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "api/imports/imports.h"
#include "base/json/json.h"
#include "base/result.h"

namespace hearth::app {

struct ImportProcess {
  std::filesystem::path home;
  std::filesystem::path source;
  api::Imports::Order order;
  bool dry_run = false;
  std::function<void(const std::string& step, std::uint64_t done, std::uint64_t of)> progress;
  std::function<bool()> is_wanted;  // asked several times a second
};

// Returns the report. Fails with invalid if the source is no home of that hub or its passphrase is wrong, with
// unavailable otherwise. Messages know no path of the hub and no option of the command.
base::Result<json::object> run_import_process(const ImportProcess& process);

}  // namespace hearth::app
