// SPDX-License-Identifier: Apache-2.0
#include "import_ha/new_home.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <vector>

#include "backup/file.h"
#include "backup/home_files.h"
#include "backup/restore.h"
#include "base/text/timestamp.h"
#include "core/registry/helper_types.h"
#include "import_ha/steps/pictures.h"
#include "recorder/journal/registry_store.h"
#include "storage/file_copy.h"

namespace hearth::import_ha {
namespace {

namespace fs = std::filesystem;
using base::ErrorCode;
using base::Result;

constexpr std::string_view kRunFile = "run.json", kSourceFiles = "source_files";
// A home that nobody has used has entities of these integrations only.
constexpr std::string_view kUnusedHome[] = {"demo", "recorder", "sun", "zone", "backup", "hearth"};

std::optional<std::string> text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return {};
  return std::string(std::istreambuf_iterator<char>(file), {});
}

std::optional<json::object> object_of(const fs::path& path) {
  const auto text = text_of(path);
  auto parsed = text ? base::parse_json(*text) : base::Result<json::value>(json::value());
  if (!parsed || !parsed->is_object()) return {};
  return std::move(parsed->get_object());
}

bool is_used(const core::RegistryData& registry) {
  for (const auto& [id, entity] : registry.entities) {
    if (std::ranges::find(kUnusedHome, entity.integration) == std::end(kUnusedHome)) return true;
  }
  for (const core::CollectionType& type : core::helper_types())
    if (!registry.items_of(type.name).empty()) return true;
  return false;
}

}  // namespace

Result<std::unique_ptr<NewHome>> NewHome::open(const ImportOptions& options, const ImportHooks& hooks) {
  std::unique_ptr<NewHome> home(new NewHome(options, hooks));
  if (auto looked = home->look(); !looked) return std::unexpected(std::move(looked.error()));
  return home;
}

NewHome::~NewHome() {
  // A dry run leaves nothing.
  std::error_code ignored;
  database_.reset();
  if (options_.dry_run && !folder_.empty()) fs::remove_all(folder_, ignored);
}

bool NewHome::only_past() const {
  return !options_.only.empty() && std::ranges::all_of(options_.only, [](Step step) {
    return step == Step::history || step == Step::statistics;
  });
}

Result<void> NewHome::look() {
  if (options_.dry_run) {
    // Beside a hub there may be little room elsewhere.
    const bool beside = options_.prepare_only && !options_.home.empty();
    if (beside) {
      if (auto made = backup::make_private_folder(options_.home / backup::kImportsFolder); !made) return made;
    }
    std::string pattern = beside ? options_.home / backup::kImportsFolder / (std::string(kLookFolder) + "XXXXXX")
                                 : fs::temp_directory_path() / "hearth-import-XXXXXX";
    if (!::mkdtemp(pattern.data())) return backup::folder_failure(pattern, "made", {errno, std::generic_category()});
    folder_ = pattern;
  } else {
    folder_ = options_.home / kPartialFolder;
  }
  // A run that was killed within the exchange has all that is needed.
  if (!options_.dry_run && !options_.prepare_only && !options_.prepared) {
    if (const auto finished = backup::finish_restore(options_.home); !finished)
      return std::unexpected(finished.error());
  }
  std::error_code error;
  has_home_ = !options_.home.empty() && fs::exists(options_.home / backup::kHomeDatabase, error);
  keeps_home_ = has_home_ && (options_.into_existing || only_past());
  if (options_.prepared) {
    keeps_home_ = options_.prepared->keeps_home;
  } else if (options_.prepare_only && has_home_ && !keeps_home_) {
    const auto use = use_of_home();
    if (!use) return std::unexpected(use.error());
    keeps_home_ = !use->empty();
  }
  if (!options_.dry_run && only_past() && !has_home_) {
    return base::fail(ErrorCode::conflict,
                      fmt::format("There is no home in {} whose past could be added to.", options_.home.string()));
  }
  if (options_.dry_run) return {};
  return backup::make_private_folder(folder_);
}

Result<void> NewHome::check_unused() const {
  if (options_.dry_run || keeps_home_) return {};
  const auto use = use_of_home();
  if (!use) return std::unexpected(use.error());
  if (use->empty()) return {};
  return base::fail(ErrorCode::conflict,
                    fmt::format("{} is used: {}. With --into-existing what is there stays, and the import adds to it.",
                                options_.home.string(), *use));
}

// A sentence about who uses the home; empty if it is fresh.
Result<std::string> NewHome::use_of_home() const {
  const auto configuration = text_of(options_.home / backup::kConfigurationFile);
  std::string use;
  if (configuration && !hooks_.is_default_configuration(*configuration))
    use = fmt::format("somebody has changed {}", backup::kConfigurationFile);
  if (!has_home_) return use;
  auto database = storage::Database::open_to_read(options_.home / backup::kHomeDatabase);
  if (!database) return std::unexpected(std::move(database.error()));
  auto users = database->prepare("SELECT count(*) FROM users");
  if (users) {
    if (const auto row = users->step(); row && *row && users->integer(0) > 0)
      return fmt::format("it has {} user{}", users->integer(0), users->integer(0) == 1 ? "" : "s");
  }
  const auto registry = recorder::read_registry(*database);
  if (registry && is_used(*registry)) return std::string("it has devices or helpers");
  return use;
}

json::object NewHome::run_of(const std::string& fingerprint) const {
  json::array only;
  for (const Step step : options_.only) only.push_back(json::value(to_text(step)));
  return {{"fingerprint", fingerprint},
          {"only", std::move(only)},
          {"history", options_.history},
          {"history_later", options_.history_later},
          {"last", options_.last ? json::value(options_.last->count()) : json::value()},
          {"credentials", options_.credentials},
          {"automations_off", options_.automations_off},
          {"side_by_side", options_.side_by_side},
          {"into_existing", options_.into_existing || (options_.prepare_only && keeps_home_)}};
}

std::optional<json::object> NewHome::former_report(const std::string& fingerprint) const {
  if (options_.dry_run) return {};
  auto report = object_of(options_.home / kReportFile);
  const json::value* const run = report ? report->if_contains("run") : nullptr;
  if (!run || *run != json::value(run_of(fingerprint))) return {};
  return report;
}

Result<void> NewHome::begin(const std::string& fingerprint) {
  if (auto unused = check_unused(); !unused) {
    std::error_code ignored;
    if (!fs::exists(folder_ / kRunFile, ignored)) fs::remove_all(folder_, ignored);
    return unused;
  }
  fingerprint_ = fingerprint;
  if (!options_.prepared && !options_.dry_run) {
    if (auto forgotten = forget_prepared(options_.home); !forgotten) return forgotten;
  }
  json::object run = run_of(fingerprint);
  const auto former = object_of(folder_ / kRunFile);
  const json::value* const time = former ? former->if_contains("began") : nullptr;
  const auto began = time && time->is_string() ? base::parse_timestamp(time->get_string())
                                               : Result<base::Timestamp>(base::fail(ErrorCode::invalid, ""));
  bool goes_on = began.has_value();
  if (goes_on) {
    json::object same = run;
    same["began"] = *time;
    goes_on = same == *former;
  }
  const fs::path former_database = folder_ / kFormerDatabase;
  std::error_code error;
  if (options_.prepared) {
    if (!goes_on) return base::fail(ErrorCode::unavailable, "What was prepared is not complete.");
    if (auto kept = keep_former_history(); !kept) return kept;
  }
  if (goes_on) {
    began_ = *began;
    // Of the past what is done stays done; all else takes moments, and is done again.
    if (auto kept = keep_former_database(); !kept) return kept;
    if (auto removed = backup::remove_whole(folder_ / kSourceFiles); !removed) return removed;
    if (fs::exists(files(), error)) {
      std::vector<fs::path> gone;
      for (const auto& entry : fs::directory_iterator(files(), error))
        if (!entry.path().filename().string().starts_with(backup::kHistoryDatabase)) gone.push_back(entry.path());
      for (const fs::path& path : gone)
        if (auto removed = backup::remove_whole(path); !removed) return removed;
    }
  } else {
    began_ = options_.now;
    for (const fs::path& path : {files(), scratch() / "history", former_database, folder_ / kFormerHistory,
                                 folder_ / kSourceFiles, folder_ / kRunFile})
      if (auto removed = backup::remove_whole(path); !removed) return removed;
    run["began"] = base::to_string(began_);
    if (auto written = write_new_file(folder_ / kRunFile, base::to_json(run)); !written) return written;
  }
  if (auto made = backup::make_private_folder(files()); !made) return made;
  if (keeps_home_) {
    if (auto copied = copy_home(); !copied) return copied;
  }
  if (auto made = hooks_.make_databases(files()); !made) return made;
  auto database = storage::Database::open(files() / backup::kHomeDatabase);
  if (!database) return std::unexpected(std::move(database.error()));
  database_.emplace(std::move(*database));
  if (goes_on && fs::exists(former_database, error))
    return copy_imported_statistics(former_database, files() / backup::kHomeDatabase);
  return {};
}

Result<void> NewHome::copy_one(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::create_directories(to.parent_path(), error);
  if (!error) fs::copy_file(from, to, fs::copy_options::overwrite_existing, error);
  if (error) return backup::folder_failure(from, fmt::format("copied to {}", to.string()), error);
  return {};
}

Result<void> NewHome::copy_home() {
  std::error_code error;
  for (const std::string_view name : {backup::kHomeDatabase, backup::kHistoryDatabase}) {
    // A dry run only counts the past.
    if (options_.dry_run && name == backup::kHistoryDatabase) continue;
    if (!fs::exists(options_.home / name, error) || fs::exists(files() / name, error)) continue;
    auto database = storage::Database::open_to_read(options_.home / name);
    if (!database) return std::unexpected(std::move(database.error()));
    if (auto copied = database->copy_to(files() / name, hooks_.go_on); !copied) return copied;
  }
  if (only_past()) return {};
  const auto names = backup::user_files(options_.home);
  if (!names) return std::unexpected(names.error());
  for (const std::string& name : *names)
    if (auto copied = copy_one(options_.home / name, files() / name); !copied) return copied;
  return {};
}

fs::path NewHome::files_of_source() const {
  return keeps_home_ ? folder_ / kSourceFiles : files();
}

Result<void> NewHome::close_database() {
  database_.reset();
  return {};
}

Result<void> NewHome::put_last_states(const recorder::LastStates::States& states) {
  auto store = recorder::LastStates::open(files() / backup::kHomeDatabase);
  if (!store) return std::unexpected(std::move(store.error()));
  const auto mark = store->mark();
  if (!mark) return std::unexpected(mark.error());
  recorder::LastStates::States fresh;
  auto select = store->database().prepare("SELECT 1 FROM last_states WHERE entity_id = ?");
  if (!select) return std::unexpected(std::move(select.error()));
  for (const auto& [entity_id, state] : states) {
    const auto row = select->bind(entity_id).step();
    if (!row) return std::unexpected(row.error());
    select->restart();
    if (!*row) fresh.emplace(entity_id, state);
  }
  return store->save(fresh, *mark);
}

Result<std::string> NewHome::exchange(const json::object& report) {
  database_.reset();
  const auto run = object_of(folder_ / kRunFile);
  json::object written = report;
  if (run) {
    json::object same = *run;
    same.erase("began");
    written["run"] = std::move(same);
  }
  // At the end of all: an import that is not exchanged has no report.
  if (auto removed = backup::remove_whole(files() / kReportFile); !removed)
    return std::unexpected(std::move(removed.error()));
  if (auto done = write_new_file(files() / kReportFile, base::to_json(written)); !done)
    return std::unexpected(std::move(done.error()));
  for (const std::string_view name : {backup::kHomeDatabase, backup::kHistoryDatabase}) {
    std::error_code error;
    if (!fs::exists(files() / name, error)) continue;
    if (auto emptied = storage::empty_log(files() / name); !emptied) return std::unexpected(std::move(emptied.error()));
    for (const char* const ending : {"-wal", "-shm"}) fs::remove(files() / (std::string(name) + ending), error);
  }
  // The folder's other files go with it after the exchange: until then a run that is killed needs them.
  if (!hooks_.go_on()) return base::fail(ErrorCode::unavailable, "Stopped before the exchange.");
  backup::Restored shown;
  shown.backup = options_.source.filename().string();
  if (shown.backup.empty()) shown.backup = options_.source.parent_path().filename().string();
  shown.created = shown.asked_at = base::to_string(options_.now);
  shown.version = options_.version;
  std::string time = shown.asked_at.substr(0, 19);
  std::erase(time, ':');
  auto before = backup::prepare_exchange(options_.home, folder_, time, !only_past(), std::move(shown));
  if (!before) return before;
  const auto finished = backup::finish_restore(options_.home);
  if (!finished) return std::unexpected(finished.error());
  return before;
}

Result<void> NewHome::remove() {
  database_.reset();
  return backup::remove_whole(folder_);
}

}  // namespace hearth::import_ha
