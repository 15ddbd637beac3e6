// SPDX-License-Identifier: Apache-2.0
// Remembers what happened: every change of state, in the order of the bus, in history.db, and every entity's last state
// in home.db. Nothing on the way waits for the disk: the bus hands changes over, a thread of the recorder's own commits
// them together, once in an interval, and keeps history in order in between.
//
// Queues: changes wait until they are committed, at most kMaxWaiting or kMaxWaitingBytes, or twice what one for each
// entity takes where that is more. At the bound, as while a disk is full, those are dropped that were overtaken by a
// newer change of their entity; how many is counted and said. Of an entity that is in no history only the newest
// waits, soon after it came. Of those who wait for a commit kMaxWaiters are remembered, of purges kMaxPurges; one more
// is refused.
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
#include "core/event_bus.h"
#include "core/state_machine.h"
#include "recorder/cpu_throttle.h"
#include "recorder/history_writer.h"
#include "recorder/last_states.h"
#include "recorder/log_entry.h"
#include "recorder/recorder_options.h"
#include "storage/database.h"

namespace hearth::recorder {

class HistoryReader;

class Recorder final : private core::EventListener {
 public:
  static constexpr std::size_t kMaxWaiting = 131'072;
  static constexpr std::size_t kMaxWaitingBytes = 64 * 1024 * 1024;
  static constexpr std::size_t kPackSize = 32'768;  // changes in the log, which is then packed
  static constexpr std::size_t kMaxWaiters = 65'536;
  static constexpr std::size_t kMaxPurges = 64;

  // The folder is the home's; clock must outlive the recorder.
  static base::Result<std::unique_ptr<Recorder>> open(const std::filesystem::path& folder, const base::Clock& clock,
                                                      RecorderOptions options = {});
  ~Recorder() override;
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  // Puts all states back as they were, without events; returns how many. Before listen. `awaited` as the state
  // machine's.
  base::Result<std::size_t> restore(core::StateMachine& states,
                                    const std::function<bool(const core::State&)>& awaited = {});
  // The bus must outlive the listening, which ends with stop.
  void listen(core::EventBus& bus);
  void start();
  // Ends the listening and writes what is left. Every change whose event the bus has delivered is then in the file:
  // stop the bus first.
  void stop();

  // Whether answers wait until what they say is on the disk (commit_interval 0).
  bool immediate() const { return options_.commit_interval.count() == 0; }
  // Any thread. Calls `done` once all that was written to the states before this call is on the disk, or has failed to
  // get there, or too many wait already; from the bus's or the recorder's thread. `weight`: about how many bytes `done`
  // keeps alive. It does not wait for room on the bus, where the write before it had its own.
  using Done = std::function<void(base::Result<void>)>;
  void when_committed(std::size_t weight, Done done);
  // Any thread, one call at a time: it has answered before the next. Commits what waits and saves all last states, at
  // once; `done` is called from the recorder's thread.
  void save(Done done);

  struct Health {
    bool failing = false;
    std::string last_error;                      // the last there was, empty where there was none
    std::optional<base::Timestamp> last_commit;  // of this run
    std::size_t waiting = 0;                     // changes that are not committed
    std::uint64_t dropped = 0;                   // changes that are in no database and never will be
    std::uint64_t committed = 0;                 // of this run
  };
  // Any thread.
  Health health() const;

  // What waits to be committed, oldest first; it may be committed meanwhile.
  struct Waiting {
    std::vector<LogEntry> entries;
    std::int64_t first = 0, last = 0;  // numbers of all that wait; 0: none does
    std::size_t count = 0;             // of all that wait
  };
  // Any thread. The oldest kWaitingPiece of those behind that number: so many are copied while the bus waits for the
  // lock.
  static constexpr std::size_t kWaitingPiece = 4'096;
  Waiting waiting_piece(std::int64_t number) const;
  // Any thread. All behind that number that waited at the call, except those that were committed before it came to
  // them: whoever looks into the database after this call finds each here or there.
  Waiting waiting_behind(std::int64_t number) const;

  const std::filesystem::path& file() const { return file_; }
  // Any thread. What history takes on the disk, its write-ahead log included.
  std::uintmax_t database_bytes() const;
  const RecorderOptions& options() const { return options_; }
  // Any thread. Rises when another file takes the place of a damaged one.
  unsigned generation() const { return generation_.load(std::memory_order_acquire); }

  // Any thread. Takes history older than `keep`, by default than the retention of each entity, away, of all entities or
  // of those that are named; step by step. `done` is called from the recorder's thread. Fails with unavailable where
  // too many wait already.
  struct Purge {
    std::optional<base::Duration> keep;
    std::optional<core::EntityFilter::Rule> entities;
    bool apply_filter = false;  // and all of those that are no longer recorded
    bool repack = false;        // and give all free room back at once
    Done done;
  };
  base::Result<void> purge(Purge purge);
  // Called when something about the health has changed: from the recorder's thread. Before start.
  void on_health(std::function<void(const Health&)> callback) { on_health_ = std::move(callback); }

  // What the recorder's thread does; without start, as tests do, the caller: writes what waits, and brings history into
  // order as far as it is due. Each step of the latter is short; false where none was due.
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
  void drop_overtaken() __attribute__((requires_capability(mutex_)));
  void run();
  Step next_step();
  void act(Step step);
  base::Result<void> append_waiting(std::size_t most);
  void let_go(const std::vector<LogEntry*>& overtaken);
  void committed();
  void save_asked();
  bool pack_due() const;
  void failed(const base::Error& error);
  void succeeded();
  base::Result<void> pack();
  base::Result<bool> merge();
  struct Merging {
    std::size_t left;              // of to_merge_
    std::int64_t put_down_before;  // days of the last of these
  };
  base::Result<void> merge_entity(Merging& merging);
  base::Result<bool> purge_step();
  base::Result<void> purge_entity(std::int64_t entity);
  base::Result<bool> end_purge();
  base::Result<void> open_writer();
  void rest_between_steps();
  void tell_health();

  const std::filesystem::path file_;
  const base::Clock& clock_;
  const RecorderOptions options_;
  core::EventBus* bus_ = nullptr;

  std::atomic<unsigned> generation_{0};
  std::function<void(const Health&)> on_health_;

  CpuThrottle throttle_;  // before the writer, whose database calls it
  // The recorder's thread's.
  std::unique_ptr<HistoryWriter> writer_;  // null while a damaged file could not be replaced
  LastStates states_;
  LastStates::States unsaved_;
  std::optional<std::chrono::steady_clock::time_point> states_due_;  // while any are unsaved
  std::vector<std::int64_t> to_merge_;                               // entities
  std::int64_t merged_before_ = 0;                                   // days
  std::int64_t merging_before_ = 0;
  std::int64_t put_down_before_ = 0;     // of the last of to_merge_
  std::unique_ptr<HistoryReader> days_;  // while there are any
  std::optional<Purge> purging_;         // the one under way …
  std::vector<std::int64_t> to_purge_;   // … and whom it has not come to
  std::size_t purged_ = 0;
  std::int64_t purged_on_ = 0;    // the day of the last regular purge
  std::int64_t seen_day_ = 0;     // the day that the clock shows …
  base::SteadyTime seen_day_at_;  // … since then

  mutable base::Mutex mutex_;
  base::ConditionVariable wake_;
  std::deque<LogEntry> queue_ __attribute__((guarded_by(mutex_)));
  std::size_t queued_bytes_ __attribute__((guarded_by(mutex_))) = 0;
  std::size_t most_ __attribute__((guarded_by(mutex_))) = kMaxWaiting;  // what the bounds are now
  std::size_t most_bytes_ __attribute__((guarded_by(mutex_))) = kMaxWaitingBytes;
  std::size_t appended_ __attribute__((guarded_by(mutex_))) = 0;  // of queue_, in the transaction that is open
  std::size_t let_go_ __attribute__((guarded_by(mutex_))) = 0;    // overtaken since the last commit, out of queue_
  std::chrono::steady_clock::time_point commit_due_ __attribute__((guarded_by(mutex_)));
  std::chrono::steady_clock::time_point maintenance_due_ __attribute__((guarded_by(mutex_)));
  std::deque<Purge> purges_ __attribute__((guarded_by(mutex_)));
  std::vector<Waiter> waiters_ __attribute__((guarded_by(mutex_)));
  Done save_ __attribute__((guarded_by(mutex_)));  // one that was asked for
  std::int64_t next_id_ __attribute__((guarded_by(mutex_))) = 1;
  bool stopping_ __attribute__((guarded_by(mutex_))) = false;
  std::chrono::milliseconds backoff_ __attribute__((guarded_by(mutex_))){0};  // after a failure
  Health health_ __attribute__((guarded_by(mutex_)));

  std::thread thread_;
  std::vector<core::Subscription> subscriptions_;  // last: they end before what their callback touches
};

}  // namespace hearth::recorder
