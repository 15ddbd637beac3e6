// SPDX-License-Identifier: Apache-2.0
// Records every state change, in the order of the bus, in history.db, and every entity's last state in home.db. Nothing
// waits for the disk: the bus hands changes over, and the recorder's thread commits them together, once in an interval,
// and maintains history in between.
//
// Queues: changes wait until they are committed, at most kMaxWaiting or kMaxWaitingBytes, or twice what one change for
// each entity takes if that is more. At the bound, for example while the disk is full, changes overtaken by a newer one
// of their entity are dropped, counted and logged. Of an entity without history only the newest change is kept. At most
// kMaxWaiters wait for a commit, and kMaxPurges purges; further ones are refused.
//
// open, restore, listen, start and stop: one thread at a time.
#pragma once

#include <atomic>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <thread>

#include "base/mutex.h"
#include "base/result.h"
#include "core/bus/event_bus.h"
#include "core/states/state_machine.h"
#include "recorder/history_writer.h"
#include "recorder/journal/last_states.h"
#include "recorder/log/log_entry.h"
#include "recorder/recorder_options.h"
#include "recorder/threads/cpu_throttle.h"
#include "storage/database.h"

namespace hearth::recorder {

class HistoryFileReader;

class Recorder final : private core::EventListener {
 public:
  static constexpr std::size_t kMaxWaiting = 131'072;
  static constexpr std::size_t kMaxWaitingBytes = 64 * 1024 * 1024;
  static constexpr std::size_t kPackSize = 32'768;  // changes in the log, at which it is packed
  static constexpr std::size_t kMaxWaiters = 65'536;
  static constexpr std::size_t kMaxPurges = 64;

  // The folder is the home's; the clock must outlive the recorder.
  static base::Result<std::unique_ptr<Recorder>> open(const std::filesystem::path& folder, const base::Clock& clock,
                                                      RecorderOptions options = {});
  ~Recorder() override;
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  // Restores all states, without events; returns how many. Call before listen. `awaited` as in the state machine.
  // `journaled` replace older ones of the same entities.
  base::Result<std::size_t> restore(core::StateMachine& states,
                                    const std::function<bool(const core::State&)>& awaited = {},
                                    const std::vector<core::StatePtr>& journaled = {});
  // The bus must outlive the subscription, which stop ends.
  void listen(core::EventBus& bus);
  void start();
  // Stops listening and writes what is left. Stop the bus first: then every change that it delivered is in the file.
  void stop();

  // True if answers wait until their change is on the disk (commit_interval 0).
  bool immediate() const { return options_.commit_interval.count() == 0; }
  // Any thread. Calls `done`, on the bus's or the recorder's thread, after all writes to the states before this call
  // are on the disk or have failed, or at once if too many wait. `weight`: about how many bytes `done` keeps alive.
  // Needs no room on the bus: the write before it had its own.
  using Done = std::function<void(base::Result<void>)>;
  void when_committed(std::size_t weight, Done done);
  // Any thread. Commits what waits and saves all last states, at once; `done` is called on the recorder's thread, or on
  // the caller's if kMaxSaves wait for that already: then it fails with unavailable.
  static constexpr std::size_t kMaxSaves = 64;
  void save(Done done);

  struct Health {
    bool failing = false;
    std::string last_error;                      // empty if there was none
    std::optional<base::Timestamp> last_commit;  // of this run
    std::size_t waiting = 0;                     // uncommitted changes
    std::optional<base::Timestamp> oldest;       // when the first of these happened
    std::uint64_t dropped = 0;                   // changes that were never written
    std::uint64_t committed = 0;                 // of this run
  };
  // Any thread.
  Health health() const;

  // Uncommitted changes, oldest first; some may be committed meanwhile.
  struct Waiting {
    std::vector<LogEntry> entries;
    std::int64_t first = 0, last = 0;  // numbers of the first and last that wait; 0 if none
    std::size_t count = 0;             // of all that wait
  };
  // Any thread. The oldest kWaitingPiece of those after that number: the bus waits for the lock while they are copied.
  static constexpr std::size_t kWaitingPiece = 4'096;
  Waiting waiting_piece(std::int64_t number) const;
  // Any thread. All after that number that waited at the time of the call, except those committed while it ran: a
  // caller that reads the database after this call misses none.
  Waiting waiting_after(std::int64_t number) const;

  const std::filesystem::path& file() const { return file_; }
  // Any thread. Bytes of history on disk, including its write-ahead log.
  std::uintmax_t database_bytes() const;
  const RecorderOptions& options() const { return options_; }
  // Any thread. Increases when another file replaces a damaged one.
  unsigned generation() const { return generation_.load(std::memory_order_acquire); }

  // Any thread. Deletes, step by step, history older than `keep`, by default than each entity's retention, of all
  // entities or the named ones. `done` is called on the recorder's thread. Fails with unavailable if too many purges
  // wait.
  struct Purge {
    std::optional<base::Duration> keep;
    std::optional<core::EntityFilter::Rule> entities;
    bool apply_filter = false;  // also delete all of entities that are no longer recorded
    bool repack = false;        // also return all free space at once
    Done done;
  };
  base::Result<void> purge(Purge purge);
  // A follower of the log (follower.h). `committed` is called on the recorder's thread after each commit, with the
  // file's generation; `followed` gives the number up to which all have read the file of that name. Set before start.
  struct Followers {
    std::function<void(unsigned generation)> committed;
    std::function<std::int64_t(std::string_view history)> followed;
  };
  void set_followers(Followers followers) { followers_ = std::move(followers); }
  // Called on the recorder's thread after the health has changed. Set before start.
  void on_health(std::function<void(const Health&)> callback) { on_health_ = std::move(callback); }

  // The work of the recorder's thread; tests call it without start. commit writes what waits; the other maintains
  // history as far as it is due, in short steps, and returns false if no step was due.
  base::Result<void> commit();
  base::Result<bool> maintain();
  base::Result<void> save_states();

 private:
  struct Waiter {
    std::int64_t after;
    Done done;
  };
  enum class Step { append, commit, save, maintain, stop };

  Recorder(std::filesystem::path file, const base::Clock& clock, RecorderOptions options,
           std::unique_ptr<HistoryWriter> writer, LastStates states);

  void on_event(const core::EventPtr& event) override;
  void shed_overtaken_changes() __attribute__((requires_capability(mutex_)));
  void run();
  Step next_step();
  void act(Step step);
  base::Result<void> append_waiting(std::size_t most);
  void drop_overtaken_entries(const std::vector<LogEntry*>& overtaken);
  void committed();
  void run_requested_save();
  bool pack_due() const;
  std::int64_t followed() const;
  void failed(const base::Error& error);
  void succeeded();
  base::Result<void> pack();
  base::Result<bool> merge();
  struct Merging {
    std::size_t left;                // of to_merge_
    std::int64_t statistics_before;  // days of the last of these
  };
  base::Result<void> merge_entity(Merging& merging);
  base::Result<bool> purge_step();
  base::Result<void> purge_entity(std::int64_t entity);
  base::Result<void> report_unread(std::string_view name, std::int64_t entity, base::Timestamp before);
  base::Result<bool> end_purge();
  base::Result<void> open_writer();
  void rest_between_steps();
  void report_health();

  const std::filesystem::path file_;
  const base::Clock& clock_;
  const RecorderOptions options_;
  core::EventBus* bus_ = nullptr;

  std::atomic<unsigned> generation_{0};
  std::function<void(const Health&)> on_health_;
  Followers followers_;

  CpuThrottle throttle_;  // before the writer, whose database calls it
  // Used by the recorder's thread only.
  std::unique_ptr<HistoryWriter> writer_;  // null while a damaged file could not be replaced
  LastStates states_;
  LastStates::States unsaved_;
  std::optional<std::chrono::steady_clock::time_point> states_due_;  // while any are unsaved
  std::vector<std::int64_t> to_merge_;                               // entities
  std::int64_t merged_before_ = 0;                                   // days before it are merged
  std::int64_t merging_before_ = 0;
  std::int64_t statistics_before_ = 0;       // of the last of to_merge_
  std::unique_ptr<HistoryFileReader> days_;  // while there are any
  std::optional<Purge> purging_;             // the running purge …
  std::vector<std::int64_t> to_purge_;       // … and the entities still to purge
  std::size_t purged_ = 0;
  std::int64_t purged_on_ = 0;    // the day of the last regular purge
  std::int64_t seen_day_ = 0;     // the day that the clock shows …
  base::SteadyTime seen_day_at_;  // … since then

  mutable base::Mutex mutex_;
  base::ConditionVariable wake_;
  std::deque<LogEntry> queue_ __attribute__((guarded_by(mutex_)));
  std::size_t queued_bytes_ __attribute__((guarded_by(mutex_))) = 0;
  std::size_t max_waiting_ __attribute__((guarded_by(mutex_))) = kMaxWaiting;  // the current bound
  std::size_t max_waiting_bytes_ __attribute__((guarded_by(mutex_))) = kMaxWaitingBytes;
  std::size_t appended_ __attribute__((guarded_by(mutex_))) = 0;   // entries of queue_ in the open transaction
  std::size_t overtaken_ __attribute__((guarded_by(mutex_))) = 0;  // dropped since the last commit
  std::chrono::steady_clock::time_point commit_due_ __attribute__((guarded_by(mutex_)));
  std::chrono::steady_clock::time_point maintenance_due_ __attribute__((guarded_by(mutex_)));
  std::deque<Purge> purges_ __attribute__((guarded_by(mutex_)));
  std::vector<Waiter> waiters_ __attribute__((guarded_by(mutex_)));
  std::vector<Done> saves_ __attribute__((guarded_by(mutex_)));  // that were asked for
  std::int64_t next_id_ __attribute__((guarded_by(mutex_))) = 1;
  bool stopping_ __attribute__((guarded_by(mutex_))) = false;
  std::chrono::milliseconds backoff_ __attribute__((guarded_by(mutex_))){0};  // after a failure
  Health health_ __attribute__((guarded_by(mutex_)));

  std::thread thread_;
  std::vector<core::Subscription> subscriptions_;  // last: end before what their callback uses is destroyed
};

}  // namespace hearth::recorder
