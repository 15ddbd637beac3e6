// SPDX-License-Identifier: Apache-2.0
// Makes a home of another hub's folder or backup, whole, in import.partial/ of the home's folder, and exchanges it in
// at the end as a restore does: either all of a run is there or nothing. A run that was killed goes on when it is
// called again.
//
// One thread.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>

#include "backup/home_files.h"
#include "base/clock.h"
#include "base/json/json.h"
#include "base/result.h"
#include "core/registry/registry_data.h"
#include "import_ha/files/known_configuration.h"
#include "import_ha/files/settings_step.h"
#include "import_ha/report/report.h"
#include "import_ha/steps/mqtt_devices.h"
#include "storage/database.h"

namespace hearth::import_ha {

enum class Step { settings, registry, users, helpers, automations, dashboards, states, history, statistics };
std::string_view to_text(Step step);
// Fails with invalid; the message names all steps.
base::Result<std::set<Step>> parse_steps(std::string_view comma_separated);

constexpr std::string_view kPartialFolder = backup::kImportFolder;
constexpr std::string_view kReportFile = backup::kImportReport;

struct PreparedImport;

struct ImportOptions {
  std::filesystem::path source;
  std::filesystem::path home;  // absolute; may be empty in a dry run
  std::string passphrase = {};
  std::set<Step> only = {};  // empty: all
  bool dry_run = false;
  bool history = true;                      // false: none of the past
  bool history_later = false;               // the home is ready at once; history and statistics follow by another run
  std::optional<base::Duration> last = {};  // so much of the past; null: all
  bool credentials = true;
  bool automations_off = false;
  bool side_by_side = false;
  bool into_existing = false;
  bool accept_newer = false;
  // Beside a running hub: a home that somebody uses is added to, and finish_import completes the import.
  bool prepare_only = false;
  const PreparedImport* prepared = nullptr;  // finish_import's own
  base::Timestamp now;
  std::string version;  // of this program
};

// By integration, domain and unique id.
using Identities = std::set<std::tuple<std::string, std::string, std::string>>;

// The layers above know these.
struct ImportHooks {
  KnownConfiguration known;
  std::function<base::Result<void>(const base::ConfigNode& values)> check_home, check_mqtt;
  CheckComponents check_components;
  // Makes the databases of a home with all their tables, or brings those that are there up to date.
  std::function<base::Result<void>(const std::filesystem::path& folder)> make_databases;
  // True if the text is of a configuration.yaml that nobody has changed.
  std::function<bool(std::string_view text)> is_default_configuration;
  // Reads the finished home as a start does, puts what is wrong into the report, and returns what its files bring.
  std::function<base::Result<Identities>(const std::filesystem::path& folder, const core::RegistryData& registry,
                                         const std::function<std::string(std::string_view)>& was,
                                         const std::function<bool(std::string_view)>& is_there, Report& report)>
      check;
  storage::GoOn go_on = [] { return true; };
  std::function<void(std::string_view step, std::uint64_t done, std::uint64_t of)> progress =
      [](std::string_view, std::uint64_t, std::uint64_t) {};
};

struct Imported {
  bool unchanged = false;        // the same source was imported before: nothing was done
  json::object report = {};      // then, that of the former run
  std::string kept_before = {};  // the folder with what was there; empty if nothing was
};

// Fails with invalid if the source is no such home; with conflict if the home is used or a hub runs with it; with
// unavailable otherwise, and the home is as before.
base::Result<Imported> run_import(const ImportOptions& options, const ImportHooks& hooks, Report& report);

// Call at each start, before anything opens the home, and after finish_restore: completes an import that was prepared
// beside the hub. Who used the home meanwhile loses nothing: all but the past is read again into a copy of the home as
// it is now, which takes moments, and the past is added to its history. Null if nothing was prepared, otherwise what to
// log. If it fails, the home is as before, and nothing waits any more; unless `go_on` was false: then the next start
// completes it. Fails with conflict if the home has got a user of its own meanwhile, with unavailable.
base::Result<std::optional<std::string>> finish_import(const std::filesystem::path& home, const ImportHooks& hooks,
                                                       base::Timestamp now, std::string version);
// Forgets an import that was prepared or was stopped before its end: the home stays as it is. No import may run. Fails
// with unavailable.
base::Result<void> discard_import(const std::filesystem::path& home);
bool is_import_prepared(const std::filesystem::path& home);

}  // namespace hearth::import_ha
