// SPDX-License-Identifier: Apache-2.0
// Reads what a server has sent on a thread of its own, because a calendar may take seconds. Bus thread only.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <utility>

#include "base/threads/task_thread.h"
#include "domains/entities/integration_bus.h"

namespace hearth::integrations::calendars {

class ReadingThread {
 public:
  static constexpr std::chrono::seconds kLongest{10};  // of one piece of work
  static constexpr std::size_t kMaxWaiting = 8;
  // False when the work has to end: it takes too long, or nobody waits for it any more.
  using GoesOn = std::function<bool()>;

  // The bus must outlive it.
  explicit ReadingThread(domains::IntegrationBus& bus) : bus_(bus), thread_("calendar", "calendars", {kMaxWaiting}) {}
  ~ReadingThread() { stop(); }

  // Waits for the work under way, which is told to end.
  void stop() {
    *ends_ = true;
    thread_.stop();
  }

  // Runs `work(GoesOn)` on the thread, then `then(result)` on the bus thread, unless it has been stopped. False if too
  // much waits. The thread begins with the first work.
  template <class Work, class Then>
  [[nodiscard]] bool run(Work work, Then then) {
    thread_.start();
    return thread_.post([this, ends = ends_, work = std::move(work), then = std::move(then)]() mutable {
      const auto until = std::chrono::steady_clock::now() + kLongest;
      const GoesOn goes_on = [ends, until] { return !*ends && std::chrono::steady_clock::now() < until; };
      auto result = std::make_shared<decltype(work(goes_on))>(work(goes_on));
      bus_.post_past_bound([ends, result, then = std::make_shared<Then>(std::move(then))] {
        if (!*ends) (*then)(std::move(*result));
      });
    });
  }

 private:
  domains::IntegrationBus& bus_;
  const std::shared_ptr<std::atomic<bool>> ends_ = std::make_shared<std::atomic<bool>>(false);
  base::TaskThread thread_;
};

}  // namespace hearth::integrations::calendars
