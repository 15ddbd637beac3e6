// SPDX-License-Identifier: Apache-2.0
// The backups that a running hub makes and keeps in <folder>/backups/, a file each: NAME.tar.zst, or NAME.tar.zst.enc
// with a passphrase.
//
// Making and restoring run one at a time on a thread of low priority; short tasks run on another. Both threads start
// with their first task and end with stop. Callbacks run on these threads.
//
// Queue: at most kMaxTasks short tasks wait; a further one is refused with unavailable.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "backup/file.h"
#include "backup/manifest.h"
#include "base/clock.h"
#include "base/result.h"
#include "base/task_thread.h"

namespace hearth::backup {

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

  template <class T>
  using Done = std::function<void(base::Result<T>)>;

  // All of these: any thread; `done` is called once, unless the hub ends first.

  struct Order {
    std::string name;  // as typed; empty: made from the time
    std::string home_name;
    bool configuration = true;
    bool history = true;
    std::string passphrase;
  };
  // Fails with invalid if the name is unusable or taken, or another backup is being made or restored.
  void create(Order order, Done<BackupInfo> done);

  struct Restore {
    std::string name;
    std::string passphrase;
    bool verify = false;  // without restoring
    // May refuse the unpacked files.
    std::function<base::Result<void>(const std::filesystem::path&)> check;
  };
  // After success, the next start restores. Fails with invalid if there is no such backup, or it is unusable.
  void restore(Restore restore, Done<Manifest> done);

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

  const std::filesystem::path folder_;
  const std::string version_;
  const base::Clock& clock_;
  std::function<base::Result<void>()> save_ = [] { return base::Result<void>(); };

  std::atomic<bool> ending_{false};
  std::atomic<bool> busy_{false};  // a long job is running

  // The heads of files by file name; used by the tasks' thread only.
  struct Known {
    std::uint64_t bytes;
    std::filesystem::file_time_type written;
    BackupInfo info;
  };
  std::map<std::string, Known> known_;

  base::TaskThread short_thread_{"backups", "backup", {kMaxTasks}};
  base::TaskThread long_thread_{"backup", "backup", {1}};  // posted perhaps during the last callback
};

// [a-z0-9_-], 1 to kMaxName of them.
bool is_backup_name(std::string_view name);
// The nearest such name: lower case, with _ for other characters. Fails with invalid if nothing is left, or too much.
base::Result<std::string> to_backup_name(std::string_view text);

}  // namespace hearth::backup
