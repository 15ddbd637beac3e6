// SPDX-License-Identifier: Apache-2.0
// Fetches pictures whose addresses devices send, over http and https, on a thread of its own: a few at a time, each
// within bounds of time, size and redirections, and by the rules of base/net/outward_request.h.
//
// Bus thread, also the callbacks.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "base/mutex.h"
#include "base/net/outward_request.h"
#include "base/result.h"
#include "domains/entities/integration_bus.h"

namespace hearth::integrations::mqtt {

class Fetcher {
 public:
  static constexpr std::chrono::seconds kTime{10};
  static constexpr std::size_t kMaxBytes = 8 * 1024 * 1024;  // core::Pictures takes no more
  static constexpr long kMaxRedirections = 3;
  static constexpr std::size_t kAtOnce = 4, kMaxWaiting = 1'000;

  using Answer = base::OutwardRequest::Answer;
  using Done = std::function<void(base::Result<Answer> answer)>;

  // `own_port`: where the hub listens. Fails with unavailable if the system has no thread left.
  static base::Result<std::unique_ptr<Fetcher>> create(domains::IntegrationBus& bus, std::uint16_t own_port);
  // Waits for the thread; what is under way is given up.
  ~Fetcher();
  Fetcher(const Fetcher&) = delete;
  Fetcher& operator=(const Fetcher&) = delete;

  // Calls `done` later, unless this is destroyed before. Fails with invalid if that is no address, and with unavailable
  // if kMaxWaiting wait.
  base::Result<void> fetch(std::string url, Done done);

 private:
  struct Request {
    std::string url;
    Done done;
  };
  struct Transfer;
  struct Multi;

  Fetcher(domains::IntegrationBus& bus, std::uint16_t own_port);

  void run();
  void begin_waiting();
  void end_finished();
  // Drops the work under way, after an exception.
  void give_up();
  void answer(Done done, base::Result<Answer> result);

  domains::IntegrationBus& bus_;
  const std::uint16_t own_port_;
  std::unique_ptr<Multi> multi_;  // the thread's
  std::atomic<bool> stopping_{false};
  base::Mutex mutex_;
  std::deque<Request> waiting_ __attribute__((guarded_by(mutex_)));
  std::thread thread_;
};

}  // namespace hearth::integrations::mqtt
