// SPDX-License-Identifier: Apache-2.0
#include "backup/home_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <climits>
#include <system_error>

#include "backup/manifest.h"
#include "base/log/log.h"
#include "base/text/utf8.h"

namespace hearth::backup {
namespace {

namespace fs = std::filesystem;
using base::ErrorCode;

constexpr std::array<std::string_view, 8> kLeftOut{".tmp", ".partial",  ".swp",     ".swo",
                                                   "~",    ".repaired", ".tar.zst", ".tar.zst.enc"};

bool is_left_out(std::string_view name) {
  return is_beside_home(name) ||
         std::ranges::any_of(kLeftOut, [&](std::string_view ending) { return name.ends_with(ending); });
}

// Of a path within the home: with the home's own it stays below the system's limit of 4,096.
constexpr std::size_t kMaxPath = 2'048;

// The files that the hub looks for by name: their links are followed wherever they lead, as in app/files/yaml_files.
bool may_lead_out(const fs::path& path) {
  constexpr std::array kNames{kConfigurationFile, std::string_view("automations.yaml"),
                              std::string_view("scripts.yaml"), std::string_view("scenes.yaml")};
  return path.filename() == "secrets.yaml" || std::ranges::find(kNames, path.native()) != kNames.end();
}

bool is_text(std::string_view path) {
  return base::utf8_length(path) &&
         std::ranges::none_of(path, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

// One walk through the folder.
class Walk {
 public:
  explicit Walk(const fs::path& folder) : folder_(folder) {
    std::error_code error;
    inside_ = fs::canonical(folder, error);
    for (const std::string_view name : {kHomeDatabase, kHistoryDatabase, kAuditDatabase}) {
      for (const char* const ending : {"", "-wal", "-shm", "-runs"})
        databases_.push_back(folder / (std::string(name) + ending));
    }
  }

  base::Result<void> take(const fs::path& under) {
    std::error_code error;
    for (fs::directory_iterator entry(folder_ / under, error); !error && entry != fs::directory_iterator();
         entry.increment(error)) {
      const fs::path name = entry->path().filename();
      if (under.empty() && (is_beside_home(name.native()) || is_database(name.native()))) continue;
      if (is_left_out(name.native())) continue;
      if (auto taken = take(under / name, *entry); !taken) return taken;
    }
    if (!error) return {};
    return base::fail(ErrorCode::unavailable,
                      fmt::format("{} cannot be read: {}.", (folder_ / under).string(), error.message()));
  }

  std::vector<std::string> take_files() {
    std::ranges::sort(files_);
    return std::move(files_);
  }

 private:
  base::Result<void> take(const fs::path& path, const fs::directory_entry& entry) {
    std::error_code error;
    if (entry.is_directory(error) && !entry.is_symlink(error)) return take(path);
    if (!entry.is_regular_file(error)) {
      if (entry.is_symlink(error)) leave_out(path, "it is a link, and to no plain file");
      return {};
    }
    if (!is_text(path.native())) return leave_out("a file", "its name is no text"), base::Result<void>();
    if (path.native().size() > kMaxPath) return leave_out("a file", "its path is too long"), base::Result<void>();
    if (entry.is_symlink(error) && !may_lead_out(path) && !leads_inside(entry.path()))
      return leave_out(path, "it is a link out of the folder"), base::Result<void>();
    // A hard link to a database: opening and closing it would release SQLite's locks.
    for (const fs::path& database : databases_) {
      if (fs::equivalent(entry.path(), database, error) && !error) return {};
    }
    if (files_.size() + 2 >= kMaxFiles) {
      return base::fail(ErrorCode::invalid, fmt::format("{} holds more than {} files; a backup takes no more.",
                                                        folder_.string(), kMaxFiles - 2));
    }
    files_.push_back(path.native());
    return {};
  }

  bool leads_inside(const fs::path& link) const {
    std::error_code error;
    const fs::path target = fs::canonical(link, error);
    return !error && std::mismatch(inside_.begin(), inside_.end(), target.begin(), target.end()).first == inside_.end();
  }

  static void leave_out(const fs::path& path, std::string_view reason) {
    base::log_warning("backup", "{} is left out: {}", path.string(), reason);
  }

  const fs::path folder_;
  fs::path inside_;
  std::vector<fs::path> databases_;
  std::vector<std::string> files_;
};

}  // namespace

bool is_beside_home(std::string_view name) {
  return name == kBackupFolder || name == kImportFolder || name == kImportsFolder || name == kImportReport ||
         name == kPendingFolder || name == kPlacingFolder || name == kUnpackFolder || name == kRestoredFile ||
         name == kClientIdFile || name == kLastGoodFolder || name.starts_with(kBeforePrefix) ||
         name == kUpgradesFolder || name == kAuditDatabase || name.starts_with("audit.db-") ||
         name.starts_with(kBeforeDowngrade) || name.ends_with(".going-back") || name.contains(".damaged-");
}

bool is_database(std::string_view name) {
  for (const std::string_view database : {kHomeDatabase, kHistoryDatabase}) {
    if (!name.starts_with(database)) continue;
    const std::string_view ending = name.substr(database.size());
    if (ending.empty() || ending == "-wal" || ending == "-shm" || ending == "-journal" || ending == "-runs")
      return true;
  }
  return false;
}

bool is_home_path(std::string_view path) {
  if (path == kHomeDatabase || path == kHistoryDatabase) return true;
  if (!is_text(path) || path.size() > kMaxPath) return false;
  bool first = true;
  for (;;) {
    const auto end = path.find('/');
    const std::string_view name = path.substr(0, end);
    if (name.empty() || name == "." || name == ".." || name.size() > NAME_MAX) return false;
    if (first && (is_beside_home(name) || is_database(name))) return false;
    if (end == std::string_view::npos) return true;
    first = false;
    path.remove_prefix(end + 1);
  }
}

base::Result<std::vector<std::string>> user_files(const fs::path& folder) {
  Walk walk(folder);
  if (auto done = walk.take(fs::path()); !done) return std::unexpected(std::move(done.error()));
  return walk.take_files();
}

}  // namespace hearth::backup
