// SPDX-License-Identifier: Apache-2.0
// Stores the registry of floors, areas, devices and entities in home.db for the next start.
//
// Listens on the bus thread and writes on a thread of its own, at most a second later, the differences between the
// newest version and the last one written, in one transaction. Retries a write that fails.
//
// open, restore, listen, start and stop: one thread at a time.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "base/result.h"
#include "core/bus/event_bus.h"
#include "core/registry/registry.h"
#include "recorder/threads/commit_thread.h"
#include "storage/database.h"
#include "storage/migrate.h"

namespace hearth::recorder {

// The registry in a home.db, which may be open to read only. A row that makes no entry is skipped and logged. Fails
// with unavailable.
base::Result<core::RegistryData> read_registry(storage::Database& database);

// Writes what differs from `before`, which the database has, in the caller's transaction. Fails with unavailable.
base::Result<void> write_registry(storage::Database& database, const core::RegistryData& before,
                                  const core::RegistryData& now);

class RegistryStore {
 public:
  static constexpr std::chrono::milliseconds kCommitInterval{500};

  // Of its tables.
  static storage::Schema schema();

  // Registry and bus must outlive the store.
  static base::Result<std::unique_ptr<RegistryStore>> open(const std::filesystem::path& file, core::Registry& registry,
                                                           core::EventBus& bus,
                                                           std::chrono::milliseconds commit_interval = kCommitInterval);
  ~RegistryStore();
  RegistryStore(const RegistryStore&) = delete;
  RegistryStore& operator=(const RegistryStore&) = delete;

  // Restores the registry, as read_registry has it, without events. Call before listen, and before anybody changes the
  // registry.
  base::Result<void> restore();

  void listen();
  void start() { thread_.start(); }
  // Any thread except its own, between start and stop: writes the differences; returns after success or failure.
  base::Result<void> flush() { return thread_.flush(); }
  // Any thread. The same without waiting: `done` is called as CommitThread::flush calls it.
  void flush(CommitThread::Done done) { thread_.flush(std::move(done)); }
  // Any thread. Whether some changes are not on the disk yet.
  bool has_unsaved() const { return registry_.snapshot()->version != saved_version_.load(std::memory_order_acquire); }
  // Any thread. Why the last commit failed; empty if it did not.
  std::string failure() const { return thread_.failure(); }
  // Stops listening and writes what is left: stop the bus first.
  void stop();

  // Writes the differences. The thread's work; tests call it without start.
  base::Result<void> commit();

 private:
  RegistryStore(storage::Database database, core::Registry& registry, core::EventBus& bus,
                std::chrono::milliseconds commit_interval);

  storage::Database database_;
  core::Registry& registry_;
  core::EventBus& bus_;
  std::shared_ptr<const core::RegistryData> saved_;
  std::atomic<std::uint64_t> saved_version_{0};
  CommitThread thread_;
  std::vector<core::Subscription> subscriptions_;  // last: end before what their callback uses is destroyed
};

}  // namespace hearth::recorder
