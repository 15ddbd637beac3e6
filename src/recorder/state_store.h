// SPDX-License-Identifier: Apache-2.0
// Every entity's last state, kept in home.db so that a restart finds it again: value, attributes, times and context.
//
// It hears of changes on the bus thread and writes them on a thread of its own, at most kCommitInterval later, all that
// changed meanwhile in one transaction. What waits is bounded by the number of entities: of each the last state counts.
// A write that fails is tried again. Idle, it never wakes.
//
// open, restore, listen, start and stop: one thread at a time.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <unordered_map>

#include "base/mutex.h"
#include "base/result.h"
#include "core/event_bus.h"
#include "core/state_machine.h"
#include "recorder/commit_thread.h"
#include "storage/database.h"

namespace hearth::recorder {

class StateStore {
 public:
  static constexpr std::chrono::milliseconds kCommitInterval{1'000};

  static base::Result<std::unique_ptr<StateStore>> open(const std::filesystem::path& file,
                                                        std::chrono::milliseconds commit_interval = kCommitInterval);
  ~StateStore();
  StateStore(const StateStore&) = delete;
  StateStore& operator=(const StateStore&) = delete;

  // Puts all states back as they were, without events; returns how many. Before listen. A row that makes no state is
  // left out and logged.
  base::Result<std::size_t> restore(core::StateMachine& states);

  // The bus must outlive the listening, which ends with stop.
  void listen(core::EventBus& bus);
  void start() { thread_.start(); }
  // Ends the listening and writes what is left. Every change whose event the bus has delivered is then in the file:
  // stop the bus first.
  void stop();

  // Writes what waits. The thread's work; without start, as tests do, the caller's.
  base::Result<void> commit();

 private:
  // Null: the entity was removed.
  using Changes = std::unordered_map<std::string, core::StatePtr>;

  StateStore(storage::Database database, std::chrono::milliseconds commit_interval);
  void on_change(const core::StateChange& change);
  base::Result<void> write(const Changes& changes);

  storage::Database database_;
  base::Mutex mutex_;
  Changes changes_ __attribute__((guarded_by(mutex_)));
  CommitThread thread_;
  core::Subscription subscription_;  // last: ends before what its callback touches
};

}  // namespace hearth::recorder
