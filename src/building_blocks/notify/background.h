// SPDX-License-Identifier: Apache-2.0
// A thread for deliveries that wait, for a disk or a server. It begins with the first one. Bus thread only, except
// where noted.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "base/threads/task_thread.h"
#include "building_blocks/notify/message.h"
#include "core/bus/event_bus.h"

namespace hearth::building_blocks {

class Background {
 public:
  static constexpr std::size_t kMostWaiting = 64;
  // On the thread. `stopping` turns true when nobody waits for it any more.
  using Work = std::function<Delivery(const std::atomic<bool>& stopping)>;

  // `thread`: its name, at most 15 bytes. The bus must outlive it.
  Background(core::EventBus& bus, std::string thread)
      : bus_(bus), thread_(std::move(thread), "notify", {kMostWaiting}) {}
  ~Background() { join(); }
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  // Calls `done` once, later, on the bus thread, unless it is stopped before; at once if too much waits.
  void run(Work work, std::function<void(Delivery)> done);
  // Nothing of it is called from now on.
  void stop() { stopping_ = true; }
  // Waits for the thread. While the bus does not run.
  void join() {
    stopping_ = true;
    thread_.stop();
  }

 private:
  core::EventBus& bus_;
  std::atomic<bool> stopping_ = false;
  const std::shared_ptr<const bool> alive_ = std::make_shared<const bool>(true);  // for tasks that wait on the bus
  base::TaskThread thread_;
};

}  // namespace hearth::building_blocks
