// SPDX-License-Identifier: Apache-2.0
#include "backup/restore.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <set>
#include <vector>

#include "backup/file.h"
#include "backup/home_files.h"
#include "base/json/json.h"
#include "base/text/timestamp.h"

namespace hearth::backup {
namespace {

namespace fs = std::filesystem;
using base::ErrorCode;
using base::Result;

// A prepared restore: its files, and the plan.
constexpr std::string_view kFiles = "files";
constexpr std::string_view kPlanFile = "plan.json";
constexpr std::size_t kMaxPlan = 4'096;

struct Plan {
  Restored shown;  // `before`: where to move the present home; empty if there was none
  bool configuration = true;
};

constexpr std::pair<std::string_view, std::string Restored::*> kShown[] = {
    {"backup", &Restored::backup}, {"created", &Restored::created},   {"version", &Restored::version},
    {"home", &Restored::home},     {"asked_at", &Restored::asked_at}, {"asked_by", &Restored::asked_by},
    {"before", &Restored::before},
};

Result<void> move(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::rename(from, to, error);
  if (error) return folder_failure(from, fmt::format("moved to {}", to.string()), error);
  return {};
}

Result<std::vector<std::string>> names_in(const fs::path& folder) {
  std::error_code error;
  std::vector<std::string> names;
  for (fs::directory_iterator entry(folder, error); !error && entry != fs::directory_iterator(); entry.increment(error))
    names.push_back(entry->path().filename().string());
  if (error) return folder_failure(folder, "read", error);
  std::ranges::sort(names);
  return names;
}

Result<void> write_plan(const fs::path& folder, const Plan& plan) {
  auto file = File::create(folder / kPlanFile);
  if (!file) return std::unexpected(std::move(file.error()));
  json::object object{{"configuration", plan.configuration}};
  for (const auto& [name, member] : kShown) object[name] = plan.shown.*member;
  const std::string text = base::to_json(object);
  if (auto done = file->write(text); !done) return done;
  return file->sync();
}

Result<Plan> read_plan(const fs::path& path) {
  auto file = File::open(path);
  if (!file) return std::unexpected(std::move(file.error()));
  std::string text(kMaxPlan, '\0');
  const auto size = file->read(text);
  if (!size) return std::unexpected(size.error());
  text.resize(*size);
  const auto parsed = base::parse_json(text);
  const auto* const object = parsed ? parsed->if_object() : nullptr;
  const auto* const configuration = object ? object->if_contains("configuration") : nullptr;
  Plan plan;
  bool whole = configuration && configuration->is_bool();
  if (whole) plan.configuration = configuration->get_bool();
  for (const auto& [name, member] : kShown) {
    const auto* const text_value = object ? object->if_contains(name) : nullptr;
    if (text_value && text_value->is_string()) plan.shown.*member = std::string(text_value->get_string());
    const bool needed = member == &Restored::backup || member == &Restored::before;
    whole = whole && (text_value ? text_value->is_string() : !needed);
  }
  if (whole) return plan;
  return base::fail(ErrorCode::unavailable, fmt::format("{} is damaged; remove {} to keep the home that is there.",
                                                        path.string(), path.parent_path().string()));
}

// Files of the present home that a restore moves away. A link out of the folder is in no backup, so it stays, unless
// the backup has a file of that name.
Result<std::vector<std::string>> names_to_move(const fs::path& folder, const Plan& plan) {
  auto names = names_in(folder);
  if (!names) return names;
  auto fresh = names_in(folder / kPendingFolder / kFiles);
  if (!fresh) return fresh;
  std::erase_if(*names, [&](const std::string& name) {
    if (is_beside_home(name)) return true;
    if (is_database(name)) return false;
    if (!plan.configuration) return true;
    std::error_code error;
    return fs::is_symlink(fs::symlink_status(folder / name, error)) && !std::ranges::binary_search(*fresh, name);
  });
  return names;
}

std::unexpected<base::Error> ended() {
  return base::fail(ErrorCode::unavailable, "The work was ended before it was done.");
}

Result<void> move_away(const fs::path& folder, const Plan& plan, const storage::GoOn& go_on) {
  const auto names = names_to_move(folder, plan);
  if (!names) return std::unexpected(names.error());
  if (!plan.shown.before.empty()) {
    if (auto made = make_private_folder(folder / plan.shown.before); !made) return made;
  }
  for (const auto& name : *names) {
    if (!go_on()) return ended();
    if (auto moved = move(folder / name, folder / plan.shown.before / name); !moved) return moved;
  }
  if (auto synced = sync_file_system(folder); !synced) return synced;
  if (!go_on()) return ended();
  // From here on the files in the folder are new.
  if (auto turned = move(folder / kPendingFolder, folder / kPlacingFolder); !turned) return turned;
  return sync_folder(folder);
}

Result<void> place(const fs::path& folder, const storage::GoOn& go_on) {
  const fs::path files = folder / kPlacingFolder / kFiles;
  std::error_code error;
  if (fs::exists(files, error)) {
    const auto names = names_in(files);
    if (!names) return std::unexpected(names.error());
    for (const auto& name : *names) {
      if (!go_on()) return ended();
      if (is_database(name)) {
        // An old file of these names would be taken for the restored database's log.
        for (const char* const ending : {"-wal", "-shm", "-journal", "-runs"}) {
          if (auto removed = remove_whole(folder / (name + ending)); !removed) return removed;
        }
      }
      if (auto moved = move(files / name, folder / name); !moved) return moved;
    }
    if (auto synced = sync_file_system(folder); !synced) return synced;
    // Now empty: its absence says that all files are placed.
    if (auto removed = remove_whole(files); !removed) return removed;
  }
  if (!go_on()) return ended();
  // A plan without a request is of a folder that had no home.
  const fs::path plan_file = folder / kPlacingFolder / kPlanFile;
  if (const auto plan = read_plan(plan_file); plan && !plan->shown.asked_at.empty()) {
    if (auto kept = move(plan_file, folder / kRestoredFile); !kept) return kept;
  }
  if (!go_on()) return ended();
  return remove_whole(folder / kPlacingFolder);
}

// A folder that is deleted with its content, unless it is kept.
class Staging {
 public:
  explicit Staging(fs::path path) : path_(std::move(path)) {}
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;
  ~Staging() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }
  void keep() { path_.clear(); }

 private:
  fs::path path_;
};

// Unpacks into `staging`, with its plan, and renames it: a folder of that name is complete.
Result<Manifest> stage(const BackupToRead& backup, const fs::path& folder, std::string_view name, Plan plan,
                       const std::function<Result<void>(const fs::path&)>& check) {
  const Staging staging(folder / kUnpackFolder);
  if (auto gone = remove_whole(staging.path()); !gone) return std::unexpected(std::move(gone.error()));
  const fs::path files = staging.path() / kFiles;
  for (const fs::path& path : {staging.path(), files}) {
    if (auto made = make_private_folder(path); !made) return std::unexpected(std::move(made.error()));
  }
  auto manifest = unpack_backup(backup, files);
  if (!manifest) return manifest;
  if (auto good = check(files); !good) return std::unexpected(std::move(good.error()));
  plan.configuration = manifest->configuration;
  plan.shown.created = base::to_string(manifest->created);
  plan.shown.version = manifest->version;
  plan.shown.home = manifest->home_name;
  if (auto written = write_plan(staging.path(), plan); !written) return std::unexpected(std::move(written.error()));
  if (auto moved = move(staging.path(), folder / name); !moved) return std::unexpected(std::move(moved.error()));
  if (auto synced = sync_folder(folder); !synced) return std::unexpected(std::move(synced.error()));
  return manifest;
}

// Restores into a new folder, which appears complete.
Result<Manifest> restore_beside(const BackupToRead& backup, const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder.parent_path(), error);
  if (error) return folder_failure(folder.parent_path(), "made", error);
  std::string pattern = folder.string() + ".restoring-XXXXXX";
  if (!::mkdtemp(pattern.data())) return folder_failure(folder, "made", {errno, std::generic_category()});
  Staging staging{fs::path(pattern)};
  auto manifest = unpack_backup(backup, staging.path());
  if (!manifest) return manifest;
  if (auto moved = move(staging.path(), folder); !moved) return std::unexpected(std::move(moved.error()));
  staging.keep();
  if (auto synced = sync_folder(folder.parent_path()); !synced) return std::unexpected(std::move(synced.error()));
  return manifest;
}

// A name for the folder of what is there. Fails with invalid if a restore waits already.
Result<std::string> free_before(const fs::path& folder, const std::string& time) {
  std::error_code error;
  for (const std::string_view name : {kPendingFolder, kPlacingFolder}) {
    if (fs::exists(folder / name, error))
      return base::fail(ErrorCode::invalid, "A backup waits to be restored already: restart the hub.");
  }
  std::string before = std::string(kBeforePrefix) + time;
  for (int number = 2; fs::exists(folder / before, error); ++number)
    before = fmt::format("{}{}-{}", kBeforePrefix, time, number);
  return before;
}

}  // namespace

Result<std::string> prepare_exchange(const fs::path& folder, const fs::path& made, const std::string& time,
                                     bool configuration, Restored shown) {
  auto before = free_before(folder, time);
  if (!before) return before;
  Plan plan{.shown = std::move(shown), .configuration = configuration};
  plan.shown.before = *before;
  // Of one who was killed before the folder got its name.
  if (auto removed = remove_whole(made / kPlanFile); !removed) return std::unexpected(std::move(removed.error()));
  if (auto written = write_plan(made, plan); !written) return std::unexpected(std::move(written.error()));
  if (auto synced = sync_file_system(folder); !synced) return std::unexpected(std::move(synced.error()));
  if (auto moved = move(made, folder / kPendingFolder); !moved) return std::unexpected(std::move(moved.error()));
  if (auto synced = sync_folder(folder); !synced) return std::unexpected(std::move(synced.error()));
  return before;
}

Result<Manifest> restore_home(const BackupToRead& backup, const fs::path& folder) {
  std::error_code error;
  const auto status = fs::status(folder, error);
  if (status.type() == fs::file_type::not_found) {
    // An unreadable backup creates no folders.
    if (auto head = read_head(backup.file); !head) return std::unexpected(std::move(head.error()));
    return restore_beside(backup, folder);
  }
  if (!fs::is_directory(status))
    return base::fail(ErrorCode::invalid, fmt::format("{} is no folder.", folder.string()));
  const auto names = names_in(folder);
  if (!names) return std::unexpected(names.error());
  const auto other = std::ranges::find_if(*names, [](const std::string& name) { return name != kUnpackFolder; });
  if (other != names->end()) {
    return base::fail(ErrorCode::invalid, fmt::format("{} is not empty (there is {}): a backup is restored into a new "
                                                      "or empty folder.",
                                                      folder.string(), *other));
  }
  // The folder may be a mount point, which no other folder can replace.
  auto manifest = stage(backup, folder, kPlacingFolder, {}, [](const fs::path&) { return Result<void>(); });
  if (!manifest) return manifest;
  if (auto placed = place(folder, backup.go_on); !placed) return std::unexpected(std::move(placed.error()));
  return manifest;
}

Result<Manifest> prepare_restore(const BackupToRead& backup, const fs::path& folder, const std::string& time,
                                 const std::function<Result<void>(const fs::path&)>& check, const Asked& asked) {
  auto before = free_before(folder, time);
  if (!before) return std::unexpected(std::move(before.error()));
  Plan plan;
  plan.shown.backup = asked.file.empty() ? backup.file.filename().string() : asked.file;
  plan.shown.before = std::move(*before);
  plan.shown.asked_at = base::to_string(asked.at);
  plan.shown.asked_by = asked.by;
  return stage(backup, folder, kPendingFolder, std::move(plan), check);
}

Result<std::optional<std::string>> finish_restore(const fs::path& folder, const storage::GoOn& go_on) {
  std::error_code error;
  if (fs::exists(folder / kUnpackFolder, error)) {
    if (auto removed = remove_whole(folder / kUnpackFolder); !removed)
      return std::unexpected(std::move(removed.error()));
  }
  const bool pending = fs::exists(folder / kPendingFolder, error);
  if (!pending && !fs::exists(folder / kPlacingFolder, error)) return std::optional<std::string>();
  const fs::path prepared = folder / (pending ? kPendingFolder : kPlacingFolder);
  auto plan = read_plan(prepared / kPlanFile);
  // If the plan is gone, all files are placed.
  if (!plan && !pending && !fs::exists(prepared / kFiles, error)) {
    if (auto removed = remove_whole(prepared); !removed) return std::unexpected(std::move(removed.error()));
    return std::optional<std::string>();
  }
  if (!plan) return std::unexpected(std::move(plan.error()));
  if (pending) {
    if (auto moved = move_away(folder, *plan, go_on); !moved) return std::unexpected(std::move(moved.error()));
  }
  if (auto placed = place(folder, go_on); !placed) return std::unexpected(std::move(placed.error()));
  std::string said = plan->shown.backup.empty() ? "the restore that was interrupted is complete"
                                                : fmt::format("{} is restored", plan->shown.backup);
  if (!plan->shown.before.empty())
    said += fmt::format("; what was there is in {}", (folder / plan->shown.before).string());
  return std::optional(std::move(said));
}

std::optional<Restored> last_restore(const fs::path& folder) {
  auto plan = read_plan(folder / kRestoredFile);
  if (!plan) return {};
  return std::move(plan->shown);
}

}  // namespace hearth::backup
