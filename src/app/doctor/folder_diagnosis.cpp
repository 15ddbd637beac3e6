// SPDX-License-Identifier: Apache-2.0
// The configuration folder: whose it is, its disk, its databases.
#include <fcntl.h>
#include <fmt/format.h>
#include <pwd.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <system_error>

#include "app/clock/clock_watch.h"
#include "app/doctor/diagnosis.h"
#include "app/repair_watch.h"
#include "app/upgrade/home_schemas.h"
#include "base/text/timestamp.h"
#include "http/messages/file_descriptor.h"
#include "storage/database.h"
#include "storage/integrity.h"

namespace hearth::app {
namespace {

using enum Diagnosis::Grade;
using std::chrono::milliseconds;

constexpr std::size_t kMostNames = 5;
constexpr milliseconds kSlowDisk{100}, kVerySlowDisk{1'000};

std::string last_error() {
  return std::generic_category().message(errno);
}

std::string user_name(::uid_t id) {
  passwd entry;
  passwd* found = nullptr;
  char buffer[4096];
  const bool known = ::getpwuid_r(id, &entry, buffer, sizeof buffer, &found) == 0 && found;
  return known ? found->pw_name : std::to_string(id);
}

std::string mebibytes(std::uintmax_t bytes) {
  constexpr std::uintmax_t kMebibyte = 1024 * 1024;
  return fmt::format("{} MiB", bytes / kMebibyte);
}

// A file of ours in the folder, which is removed at the end.
class TestFile {
 public:
  explicit TestFile(const std::filesystem::path& folder) : path_(folder / ".doctor_XXXXXX") {
    std::string name = path_.string();
    descriptor_ = http::FileDescriptor(::mkstemp(name.data()));
    path_ = name;
  }
  ~TestFile() {
    if (descriptor_) ::unlink(path_.c_str());
  }
  TestFile(const TestFile&) = delete;
  TestFile& operator=(const TestFile&) = delete;

  int get() const { return descriptor_.number(); }
  // As long as a commit takes; null if it fails.
  std::optional<milliseconds> write_through() const {
    const std::array<char, 4096> page{};
    const auto begin = std::chrono::steady_clock::now();
    if (::pwrite(get(), page.data(), page.size(), 0) != static_cast<::ssize_t>(page.size()) || ::fsync(get()) != 0)
      return {};
    return std::chrono::ceil<milliseconds>(std::chrono::steady_clock::now() - begin);
  }
  // True if its file system has the locks that SQLite needs.
  bool can_be_locked() const {
    struct flock lock{};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    lock.l_len = 1;
    return ::fcntl(get(), F_SETLK, &lock) == 0;
  }

 private:
  std::filesystem::path path_;
  http::FileDescriptor descriptor_;
};

// Files that another user owns than the folder: the hub may not be able to write them.
std::vector<std::string> foreign_files(const std::filesystem::path& folder, ::uid_t owner) {
  std::vector<std::string> names;
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator(folder, failed)) {
    struct stat file{};
    if (::lstat(entry.path().c_str(), &file) == 0 && file.st_uid != owner)
      names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

// Databases, and SQLite's files beside them, that this user may not write.
std::vector<std::string> locked_databases(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const std::string_view database : kDatabases) {
    for (const char* const ending : {"", "-wal", "-shm"}) {
      std::string name = fmt::format("{}{}", database, ending);
      if (::access((folder / name).c_str(), R_OK | W_OK) != 0 && errno != ENOENT) names.push_back(std::move(name));
    }
  }
  return names;
}

std::optional<Diagnosis> examine_locks(const TestFile& file) {
  if (file.get() < 0 || file.can_be_locked()) return {};
  return Diagnosis{"disk", bad, fmt::format("its file system has no locks: {}", last_error()),
                   "Move the folder to a disk of this machine: databases can be destroyed without locks."};
}

// The oldest and the newest change; null if there is none.
struct Recorded {
  std::optional<base::Timestamp> oldest, newest;
};
std::optional<Recorded> recorded_times(const std::filesystem::path& file) {
  std::error_code absent;
  if (!std::filesystem::exists(file, absent)) return {};
  auto database = storage::Database::open_to_read(file);
  if (!database) return {};
  Recorded found;
  // Of segments the index has the last change of each, which is old or new enough to tell.
  for (const char* const sql :
       {"SELECT min(updated), max(updated) FROM changes", "SELECT min(last), max(last) FROM segments"}) {
    auto select = database->prepare(sql);
    if (!select) return {};
    const auto row = select->step();
    if (!row) return {};
    if (!*row || select->is_null(0)) continue;
    const auto oldest = select->timestamp(0), newest = select->timestamp(1);
    found.oldest = std::min(found.oldest.value_or(oldest), oldest);
    found.newest = std::max(found.newest.value_or(newest), newest);
  }
  return found;
}

std::string day_text(base::Timestamp time) {
  return base::to_string(time).substr(0, 10);
}

Diagnosis examine_database(const std::filesystem::path& file, const storage::GoOn& go_on) {
  constexpr std::string_view check = "databases";
  const std::string name = file.filename().string();
  std::error_code absent;
  if (!std::filesystem::exists(file, absent))
    return {check, good, fmt::format("{} is not there yet; the first start makes it", name)};
  const std::string advice =
      "The hub repairs it at its next start, and keeps the damaged file beside it; a backup has more: hearth restore.";
  if (const auto checked = storage::check_in_use(file, go_on); !checked)
    return {check, bad, checked.error().message, advice};
  const auto log = std::filesystem::file_size(file.string() + "-wal", absent);
  const std::uintmax_t size = std::filesystem::file_size(file) + (absent ? 0 : log);
  return {check, good, fmt::format("{} is sound, {}", name, mebibytes(size))};
}

}  // namespace

Diagnoses examine_folder(const std::filesystem::path& folder) {
  constexpr std::string_view check = "folder";
  struct stat found{};
  if (::stat(folder.c_str(), &found) != 0) {
    const bool hidden = errno == EACCES;
    return {{check, bad, fmt::format("{}: {}", folder.string(), last_error()),
             hidden ? fmt::format("This runs as {}, who may not look there: run it as the folder's owner.",
                                  user_name(::geteuid()))
                    : "Start the hub, which makes it, or name another folder with --config."}};
  }
  Diagnoses diagnoses;
  const std::string owner = user_name(found.st_uid);
  if (::access(folder.c_str(), R_OK | W_OK | X_OK) != 0) {
    struct statvfs system{};
    const bool read_only = ::statvfs(folder.c_str(), &system) == 0 && (system.f_flag & ST_RDONLY) != 0;
    diagnoses.push_back(
        {check, bad, fmt::format("{} cannot be written: {}", folder.string(), last_error()),
         read_only ? "Its file system is mounted read-only: mount it to be written, or look for a broken disk."
                   : fmt::format("It belongs to {}, and this runs as {}: run the hub as its owner, or give it to them "
                                 "with chown -R.",
                                 owner, user_name(::geteuid()))});
  } else if (const auto names = locked_databases(folder); !names.empty()) {
    diagnoses.push_back({check, bad,
                         fmt::format("{} cannot be written by {}", fmt::join(names, ", "), user_name(::geteuid())),
                         fmt::format("chown -R {} {}", user_name(::geteuid()), folder.string())});
  }
  if ((found.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    diagnoses.push_back({check, warning,
                         fmt::format("{} can be opened by other users of this machine", folder.string()),
                         fmt::format("chmod 700 {}", folder.string())});
  }
  if (const auto names = foreign_files(folder, found.st_uid); !names.empty()) {
    const auto shown = std::vector<std::string>(
        names.begin(), names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), kMostNames)));
    diagnoses.push_back({check, warning,
                         fmt::format("{} of its files belong to another user than {}: {}{}", names.size(), owner,
                                     fmt::join(shown, ", "), names.size() > shown.size() ? " …" : ""),
                         fmt::format("chown -R {} {}", owner, folder.string())});
  }
  if (diagnoses.empty())
    diagnoses.push_back(
        {check, good, fmt::format("{} belongs to {}, and nobody else reads it", folder.string(), owner)});
  return diagnoses;
}

Diagnoses examine_disk(const std::filesystem::path& folder) {
  constexpr std::string_view check = "disk";
  Diagnoses diagnoses;
  std::error_code failed;
  const auto space = std::filesystem::space(folder, failed);
  if (failed) return {{check, bad, failed.message(), "Look for the folder's disk: is it mounted?"}};
  const auto free = fmt::format("{} are free", mebibytes(space.available));
  const std::string make_room = "Make room: old backups and logs first; `recorder: keep` bounds history.";
  if (space.available < RepairWatch::kFullDisk)
    diagnoses.push_back({check, bad, free + ": the hub cannot write", make_room});
  else if (space.available < RepairWatch::kLowDisk)
    diagnoses.push_back({check, warning, free, make_room});
  else
    diagnoses.push_back({check, good, free});
  const TestFile file(folder);
  if (file.get() < 0) return diagnoses;  // the folder's own diagnosis says why
  if (auto lockless = examine_locks(file)) diagnoses.push_back(std::move(*lockless));
  std::vector<milliseconds> times;
  for (int i = 0; i < 5; ++i) {
    const auto time = file.write_through();
    if (!time) {
      diagnoses.push_back({check, bad, fmt::format("it cannot be written: {}", last_error()),
                           "Make room, or look for a broken disk: dmesg names it."});
      return diagnoses;
    }
    times.push_back(*time);
  }
  std::ranges::sort(times);
  const milliseconds median = times[times.size() / 2];
  const auto text = fmt::format("a write to it takes {} ms", median.count());
  if (median >= kSlowDisk) {
    diagnoses.push_back(
        {check, median >= kVerySlowDisk ? bad : warning, text,
         "An old memory card is the usual reason: an SSD is a thousand times quicker and lives longer."});
  } else {
    diagnoses.push_back({check, good, text});
  }
  return diagnoses;
}

Diagnoses examine_databases(const std::filesystem::path& folder, const storage::GoOn& go_on) {
  return {examine_database(folder / "home.db", go_on), examine_database(folder / "history.db", go_on)};
}

Diagnoses find_obstacles(const std::filesystem::path& folder) {
  Diagnoses found = examine_folder(folder);
  std::erase_if(found, [](const Diagnosis& each) { return each.grade != bad; });
  if (auto lockless = examine_locks(TestFile(folder))) found.push_back(std::move(*lockless));
  return found;
}

Diagnoses examine_recorded_times(const std::filesystem::path& folder, base::Timestamp now) {
  constexpr std::string_view check = "clock";
  constexpr std::chrono::days kTooFar{1};
  const auto times = recorded_times(folder / kDatabases.back());
  Diagnoses found;
  if (times && times->oldest && *times->oldest < ClockWatch::kEarliest) {
    found.push_back({check, warning,
                     fmt::format("history has changes of {}: the clock was wrong when they were recorded",
                                 day_text(*times->oldest)),
                     "They are deleted with what is older than history is kept. Give the machine a clock that runs "
                     "while it is off, or let the hub start after the network's time: systemctl enable "
                     "systemd-time-wait-sync."});
  }
  if (times && times->newest && *times->newest > now + kTooFar) {
    found.push_back({check, warning,
                     fmt::format("history has changes of {}, which is in the future", day_text(*times->newest)),
                     "If the clock is wrong now, set it; if it was wrong then, they stay until that time has passed."});
  }
  return found;
}

}  // namespace hearth::app
