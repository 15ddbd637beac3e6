// SPDX-License-Identifier: Apache-2.0
// The registry of floors, areas, devices and entities, kept in home.db so that a restart finds it again.
//
// It hears of changes on the bus thread and writes on a thread of its own, at most a second later, what differs between
// the newest version and the one it wrote last, in one transaction. A write that fails is tried again.
//
// open, restore, listen, start and stop: one thread at a time.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <vector>

#include "base/result.h"
#include "core/event_bus.h"
#include "core/registry.h"
#include "recorder/commit_thread.h"
#include "storage/database.h"

namespace hearth::recorder {

class RegistryStore {
 public:
  static constexpr std::chrono::milliseconds kCommitInterval{500};

  // Registry and bus must outlive the store.
  static base::Result<std::unique_ptr<RegistryStore>> open(const std::filesystem::path& file, core::Registry& registry,
                                                           core::EventBus& bus,
                                                           std::chrono::milliseconds commit_interval = kCommitInterval);
  ~RegistryStore();
  RegistryStore(const RegistryStore&) = delete;
  RegistryStore& operator=(const RegistryStore&) = delete;

  // Puts back what was kept, without events. Before listen, and before anybody changes the registry. A row that makes
  // no entry is left out and logged.
  base::Result<void> restore();

  void listen();
  void start() { thread_.start(); }
  // Any thread but its own, between start and stop: writes what differs, and returns when that is done, or has failed.
  base::Result<void> flush() { return thread_.flush(); }
  // Ends the listening and writes what is left: stop the bus first.
  void stop();

  // Writes what differs. The thread's work; without start, as tests do, the caller's.
  base::Result<void> commit();

 private:
  RegistryStore(storage::Database database, core::Registry& registry, core::EventBus& bus,
                std::chrono::milliseconds commit_interval);

  storage::Database database_;
  core::Registry& registry_;
  core::EventBus& bus_;
  std::shared_ptr<const core::RegistryData> saved_;
  CommitThread thread_;
  std::vector<core::Subscription> subscriptions_;  // last: they end before what their callback touches
};

}  // namespace hearth::recorder
