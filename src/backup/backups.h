// SPDX-License-Identifier: Apache-2.0
// The backups that a running hub makes and keeps in <folder>/backups/, a file each: NAME.tar.zst, or NAME.tar.zst.enc
// with a passphrase.
//
// Making and restoring run one at a time on a thread of low priority, an upload on another; short tasks run on a third.
// The threads start with their first task and end with stop. Callbacks run on these threads.
//
// Queue: at most kMaxTasks short tasks wait; a further one is refused with unavailable.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backup/backup_reader.h"
#include "backup/file.h"
#include "backup/manifest.h"
#include "base/clock.h"
#include "base/result.h"
#include "base/threads/task_thread.h"

namespace hearth::backup {

class Upload;
struct Restored;

struct BackupInfo {
  std::string name;
  std::uint64_t bytes = 0;
  base::Timestamp created;
  std::string version;  // of the hub that made it; empty if the file is damaged
  bool encrypted = false;
};

class Backups {
 public:
  static constexpr std::size_t kMaxTasks = 256;
  static constexpr std::size_t kMaxName = 64;

  // The clock must outlive this.
  Backups(std::filesystem::path folder, std::string version, const base::Clock& clock)
      : folder_(std::move(folder)), version_(std::move(version)), clock_(clock) {}
  ~Backups() { stop(); }
  Backups(const Backups&) = delete;
  Backups& operator=(const Backups&) = delete;

  // Call before any of the others. `save` is called before each backup, on its thread: when it returns, everything
  // acknowledged before is in the databases.
  void before_each(std::function<base::Result<void>()> save) { save_ = std::move(save); }
  // Likewise: may refuse the unpacked files of a restore, on its thread.
  using Check = std::function<base::Result<void>(const std::filesystem::path&)>;
  void check_each(Check check) { check_ = std::move(check); }

  template <class T>
  using Done = std::function<void(base::Result<T>)>;

  // All of these: any thread; `done` is called once, unless the hub ends first.

  struct Order {
    std::string name;  // as typed; empty: made from the time
    std::string home_name;
    bool configuration = true;
    bool history = true;
    std::string passphrase;
    bool secrets = false;  // those of connections, although there is no passphrase
  };
  // Fails with invalid if the name is unusable or taken, or another backup is being made or restored.
  void create(Order order, Done<BackupInfo> done);

  struct Restore {
    std::string name;
    std::string passphrase;
    bool verify = false;                                             // without restoring
    std::string by = {};                                             // the display name of who asks, or empty
    Check check = [](const auto&) { return base::Result<void>(); };  // one more, before that of check_each
    std::string file = {};  // what who asks calls the backup; empty: the name of its file
  };
  // After success, the next start restores. Fails with invalid if there is no such backup, or it is unusable.
  void restore(Restore restore, Done<Manifest> done);

  // Takes a backup from a client. `name`: as typed, and not yet taken unless `replace`; empty for the time at which the
  // backup was made. Fails with invalid for a name that is none, with unavailable while another is being uploaded.
  base::Result<std::unique_ptr<Upload>> upload(std::string_view name, bool replace = false);

  // The restore that made this home what it is; null if there was none.
  void last_restore(Done<std::optional<Restored>> done);

  // Newest first.
  void list(Done<std::vector<BackupInfo>> done);
  struct Opened {
    File file;
    std::string file_name;
    std::uint64_t bytes;
  };
  // Both fail with not_found.
  void open(std::string name, Done<Opened> done);
  void remove(std::string name, Done<void> done);
  // False, and the task will not run, if too many wait or the hub is ending.
  [[nodiscard]] bool post(std::function<void()> task);

  // One thread, after the last call of the others. Cancels what is running.
  void stop();

 private:
  // The job returns what to do after the next one may start. Fails with invalid if one is running, with unavailable if
  // no thread can be created.
  base::Result<void> run_long(std::function<std::function<void()>()> job);
  base::Result<BackupInfo> make(Order order);
  base::Result<Manifest> prepare(const Restore& restore);
  // Runs on the tasks' thread; answers also if the work throws, or the queue is full.
  template <class T>
  void run_short(std::function<base::Result<T>()> work, Done<T> done);
  std::vector<BackupInfo> find_all();
  base::Result<void> make_kept_folder() const;
  std::optional<std::filesystem::path> find(std::string_view name) const;
  std::string free_name(base::Timestamp time) const;
  // For Upload. Renames the file to that of a kept backup, and returns its name.
  friend class Upload;
  base::Result<std::string> keep(const std::filesystem::path& file, std::string name, bool replace,
                                 const BackupHead& head) const;
  void remove_left_upload();
  [[nodiscard]] bool post_upload(base::TaskThread::Task task);

  const std::filesystem::path folder_;
  const std::string version_;
  const base::Clock& clock_;
  std::function<base::Result<void>()> save_ = [] { return base::Result<void>(); };

  std::atomic<bool> ending_{false};
  Check check_ = [](const auto&) { return base::Result<void>(); };
  std::atomic<bool> busy_{false};       // a long job is running
  std::atomic<bool> uploading_{false};  // an Upload exists

  // The heads of files by file name; used by the tasks' thread only.
  struct Known {
    std::uint64_t bytes;
    std::filesystem::file_time_type written;
    BackupInfo info;
  };
  std::map<std::string, Known> known_;

  base::TaskThread short_thread_{"backups", "backup", {kMaxTasks}};
  base::TaskThread upload_thread_{"upload", "backup", {8}};  // of one Upload: a write, its end
  base::TaskThread long_thread_{"backup", "backup", {1}};    // posted perhaps during the last callback
};

// [a-z0-9_-], 1 to kMaxName of them.
bool is_backup_name(std::string_view name);
// The nearest such name: lower case, with _ for other characters. Fails with invalid if nothing is left, or too much.
base::Result<std::string> to_backup_name(std::string_view text);

}  // namespace hearth::backup
