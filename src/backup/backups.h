// SPDX-License-Identifier: Apache-2.0
// The backups that a running hub makes and keeps, in <folder>/backups/: a file each, NAME.tar.zst, or NAME.tar.zst.enc
// with a passphrase.
//
// Making and restoring, one at a time, are done on a thread that lets others go first; what is short, on another. Both
// begin with the first of their tasks and end with stop. Callbacks are called on these threads.
//
// Queue: at most kMaxTasks short tasks wait; one more is refused with unavailable.
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
  std::string version;  // of the hub that made it; empty where the file is damaged
  bool encrypted = false;
};

class Backups {
 public:
  static constexpr std::size_t kMaxTasks = 256;
  static constexpr std::size_t kMaxName = 64;

  // The clock must outlive it.
  Backups(std::filesystem::path folder, std::string version, const base::Clock& clock)
      : folder_(std::move(folder)), version_(std::move(version)), clock_(clock) {}
  ~Backups() { stop(); }
  Backups(const Backups&) = delete;
  Backups& operator=(const Backups&) = delete;

  // Before the first call of the others. `save` is called before each backup, on its thread: when it returns, whatever
  // was acknowledged before is in the databases.
  void before_each(std::function<base::Result<void>()> save) { save_ = std::move(save); }

  template <class T>
  using Done = std::function<void(base::Result<T>)>;

  // Any thread, all of these; `done` is called once, unless the hub ends first.

  struct Order {
    std::string name;  // as somebody typed it; empty: made from the time
    std::string home_name;
    bool configuration = true;
    bool history = true;
    std::string passphrase;
  };
  // Fails with invalid where the name will not do or is taken, or another backup is being made or restored.
  void create(Order order, Done<BackupInfo> done);

  struct Restore {
    std::string name;
    std::string passphrase;
    bool verify = false;  // only
    // May refuse what was unpacked there.
    std::function<base::Result<void>(const std::filesystem::path&)> check;
  };
  // When it has succeeded, the next start restores. Fails with invalid where there is no such backup, or it is of no
  // use.
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
  // False, and the task will not run, where too many wait or the hub ends.
  [[nodiscard]] bool post(std::function<void()> task);

  // One thread, while nobody calls the others any more. Ends what is under way.
  void stop();

 private:
  // The job answers with what is to be done when the next one may begin. Fails with invalid where one is
  // under way, with unavailable where there is no thread for it.
  base::Result<void> run_long(std::function<std::function<void()>()> job);
  base::Result<BackupInfo> make(Order order);
  base::Result<Manifest> prepare(const Restore& restore);
  // On the tasks' thread; answers also where the work throws, or there is no place for it.
  template <class T>
  void run_short(std::function<base::Result<T>()> work, Done<T> done);
  std::vector<BackupInfo> find_all();

  const std::filesystem::path folder_;
  const std::string version_;
  const base::Clock& clock_;
  std::function<base::Result<void>()> save_ = [] { return base::Result<void>(); };

  std::atomic<bool> ending_{false};
  std::atomic<bool> busy_{false};  // with a long job

  // What the heads of files told, by file name; the tasks' thread only.
  struct Known {
    std::uint64_t bytes;
    std::filesystem::file_time_type written;
    BackupInfo info;
  };
  std::map<std::string, Known> known_;

  base::TaskThread short_thread_{"backups", "backup", {kMaxTasks}};
  base::TaskThread long_thread_{"backup", "backup", {1}};  // the next job comes while the callback of one still runs
};

// [a-z0-9_-], 1 to kMaxName of them.
bool is_backup_name(std::string_view name);
// The nearest such name: in lower case, with _ for all else. Fails with invalid where nothing or too much is left.
base::Result<std::string> to_backup_name(std::string_view text);

}  // namespace hearth::backup
