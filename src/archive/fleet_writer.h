// SPDX-License-Identifier: Apache-2.0
// Writes the messages of a fleet's sites into a store, in the engine's order, each message once. It has a thread of its
// own; nobody waits for it. A failure is retried, at first after a second, then less often.
//
// Of several portals with one store, one writes; another takes over when the writer's session ends. A message that
// cannot be written, for any reason, is kept aside, and the others go on. Missing parts of a site's log are requested.
//
// Queue: none. Messages not yet written stay with the engine for as long as it keeps messages.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>

#include "archive/fleet_store.h"
#include "base/clock.h"
#include "base/mutex.h"
#include "base/threads/task_thread.h"

namespace hearth::archive {

class FleetWriter {
 public:
  static constexpr std::size_t kMost = 1'000;                              // messages read at once
  static constexpr std::size_t kGroupBytes = 4 * 1024 * 1024;              // about what a transaction writes at most
  static constexpr base::Duration kPace = std::chrono::milliseconds(500);  // from one transaction to the next
  static constexpr base::Duration kAskAgain = std::chrono::minutes(1);

  // The numbers after the first one, up to and including the other one, are missing. Called on the writer's thread, at
  // most once in kAskAgain for each gap; must not block.
  using AskFor =
      std::function<void(const std::string& site, const std::string& epoch, std::int64_t after, std::int64_t until)>;

  struct Status {
    bool holds_the_lock = false;  // this portal writes; false: another one does, or the store is not there
    std::size_t behind = 0;       // messages that it has seen and not written: there may be more
    std::optional<base::Timestamp> since = {};  // when the engine got the oldest of these, or it began to fail
    std::string failure = {};                   // why the last try failed; empty if it did not
    // Of the store, as far as this portal writes.
    std::size_t kept_aside = 0;
    std::size_t gaps = 0;
  };

  // The clock must outlive this. `ask_for`: null if nobody can be asked.
  FleetWriter(const base::Clock& clock, std::unique_ptr<fleet::FleetReader> reader, std::unique_ptr<FleetStore> store,
              AskFor ask_for);
  ~FleetWriter() { stop(); }
  FleetWriter(const FleetWriter&) = delete;
  FleetWriter& operator=(const FleetWriter&) = delete;

  void start() { thread_.start(); }
  void stop();

  // Any thread.
  Status status() const;

  // The thread's work; tests call it without start. Reads and writes what there is next; true if there is more.
  base::Result<bool> write_next();

 private:
  using List = std::vector<fleet::Message>;

  base::Duration work();
  base::Result<bool> hold();
  base::Result<std::size_t> write_group(const std::string& engine, const fleet::Messages& messages, std::size_t first);
  base::Result<std::size_t> write_from(const std::string& engine, const fleet::Messages& messages, std::size_t first);
  base::Result<void> write(const std::string& engine, const fleet::Message& message);
  base::Result<void> keep_aside(const std::string& engine, const fleet::Message& message, std::string_view reason);
  bool is_refused(const fleet::Messages& messages, std::size_t first, const base::Error& error);
  void ask_for_gaps();
  base::Result<void> maintain();
  void note(const List& list, std::size_t written, bool at_end);
  void failed(const base::Error& error);

  const base::Clock& clock_;
  const std::unique_ptr<fleet::FleetReader> reader_;
  const std::unique_ptr<FleetStore> store_;
  const AskFor ask_for_;
  // Used by the thread only.
  base::Duration pause_{0};             // after the last failure; 0 if it did not fail
  base::SteadyTime retry_at_;           // then
  std::string engine_;                  // that the places below are of
  std::uint64_t one_by_one_until_ = 0;  // a place: one of the messages up to it spoils the transaction of all of them …
  std::uint64_t refused_ = 0;           // … and this one does, by its place
  std::string refusal_;                 // for this reason
  std::size_t group_ = 0;               // messages in the present transaction
  std::size_t aside_ = 0;               // kept aside since the log said so
  std::optional<base::SteadyTime> aside_said_at_;

  std::atomic<bool> stopping_ = false;
  mutable base::Mutex mutex_;
  Status status_ __attribute__((guarded_by(mutex_)));

  base::TaskThread thread_;  // last: it uses the others
};

}  // namespace hearth::archive
