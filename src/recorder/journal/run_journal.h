// SPDX-License-Identifier: Apache-2.0
// Implements core/journal.h: stores the runs that are under way in home.db, and the changes since the last write of it
// in a log beside it. A thread of its own writes all waiting changes in one commit, without waiting for the disk: it
// must survive a kill of the process, not of the machine.
//
// open, entries, states, start and stop: one thread at a time. The rest: bus thread.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "core/hub.h"
#include "core/journal.h"
#include "recorder/journal/journal_log.h"
#include "recorder/threads/commit_thread.h"
#include "storage/checkpointer.h"
#include "storage/database.h"
#include "storage/migrate.h"

namespace hearth::recorder {

class RunJournal final : public core::Journal {
 public:
  static constexpr std::chrono::milliseconds kCommitInterval{100};  // of what nobody waits for

  // Of its tables.
  static storage::Schema schema();

  // The hub must outlive it.
  static base::Result<std::unique_ptr<RunJournal>> open(const std::filesystem::path& file, core::Hub& hub);
  ~RunJournal() override;
  RunJournal(const RunJournal&) = delete;
  RunJournal& operator=(const RunJournal&) = delete;

  // Empties that of a home whose hub does not run: nothing goes on. For copies.
  static base::Result<void> clear(const std::filesystem::path& file);

  // The runs that the hub's last run has left, except the archive. Before start.
  base::Result<Entries> entries();
  // States that belong to it; they may be older than those that the recorder has. Those of removed entities are not
  // among them. Once, before the hub's entities change.
  base::Result<std::vector<core::StatePtr>> states();

  void start() { thread_.start(); }
  // Writes what is left: stop the bus first.
  void stop() {
    thread_.stop();
    if (log_.is_begun() && !logged_.empty()) static_cast<void>(write_through({}));
    checkpointer_->stop();
  }

  void put(std::string key, std::string text) override;
  void remove(std::string_view key) override;
  void keep(core::StatePtr state) override;
  void read(std::string key, std::function<void(std::optional<std::string> text)> read) override;
  void when_written(std::function<void()> written) override;
  bool has_unwritten() const override;

  // The thread's work; tests call it without start.
  base::Result<void> commit();

 private:
  struct Pending {
    JournalLog::Entries entries = {};
    std::map<std::string, core::StatePtr, std::less<>> states = {};  // by entity id; null: to be removed
    bool empty() const { return entries.empty() && states.empty(); }
  };

  RunJournal(std::unique_ptr<storage::Checkpointer> checkpointer, storage::Database database,
             const std::filesystem::path& file, core::Hub& hub);
  // Takes what the log has that the database has not.
  base::Result<void> take_log();
  // The state goes with its entity.
  void follow(const std::string& entity_id);
  void change(std::string key, std::optional<std::string> text);
  // Into the log if that is possible, otherwise into the database.
  base::Result<void> write(const Pending& pending);
  // With all that is in the log, which is then empty.
  base::Result<void> write_through(const Pending& pending);
  base::Result<void> write_rows(const Pending& pending, std::string_view generation);
  std::optional<std::string> find(const std::string& key);

  const std::unique_ptr<storage::Checkpointer> checkpointer_;  // before the connection that it serves
  storage::Database database_;
  JournalLog log_;
  JournalLog::Entries logged_;  // that are in the log and not in the database
  core::EventBus& bus_;
  core::EntityListeners& entity_listeners_;
  std::map<std::string, core::EntityListeners::Listening, std::less<>> followed_;  // by entity id
  mutable base::Mutex mutex_;
  Pending pending_ __attribute__((guarded_by(mutex_)));
  std::vector<std::function<void()>> waiting_ __attribute__((guarded_by(mutex_)));
  bool writes_ __attribute__((guarded_by(mutex_))) = false;   // what was pending is on its way into the file
  bool hurries_ __attribute__((guarded_by(mutex_))) = false;  // a commit at once has been asked for
  CommitThread thread_;
};

}  // namespace hearth::recorder
