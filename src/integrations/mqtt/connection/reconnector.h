// SPDX-License-Identifier: Apache-2.0
// Keeps a connection to the broker: its thread connects, serves, and retries after a loss, later each time.
//
// Bus thread. Messages from the broker are in `inbound`, those to it are put into `outbound`.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <thread>

#include "integrations/mqtt/connection/connection.h"
#include "integrations/mqtt/protocol/inbound.h"
#include "integrations/mqtt/protocol/options.h"
#include "integrations/mqtt/protocol/outbound.h"

namespace hearth::integrations::mqtt {

class Reconnector {
 public:
  static constexpr base::Duration kFirstRetry = std::chrono::seconds(1);
  static constexpr base::Duration kLongestRetry = std::chrono::seconds(60);
  // A connection that lasts so long was a good one: after it, the first retry comes soon again.
  static constexpr base::Duration kSteady = std::chrono::seconds(10);

  // `wake` is called on the reconnector's thread when something arrives, and not after stop. The clock must outlive
  // this.
  Reconnector(Options options, const base::Clock& clock, std::function<void()> wake);
  ~Reconnector() { stop(); }
  Reconnector(const Reconnector&) = delete;
  Reconnector& operator=(const Reconnector&) = delete;

  // Once. Fails if the system has no thread or descriptor left.
  base::Result<void> start();
  // Publishes the will and ends the connection; waits for about a second at most. An attempt to connect that is under
  // way is left behind. Returns how many messages the broker does not get, or has not confirmed.
  std::size_t stop();

  // Expires when the thread has ended and this is destroyed.
  std::weak_ptr<const void> life() const { return shared_; }

  Inbound& inbound() { return shared_->inbound; }
  Outbound& outbound() { return shared_->outbound; }

 private:
  // Of the thread: whether it may use what the hub owns. It may not while it connects, which can take minutes.
  enum class Phase { free, connecting, left };

  // Outlives the reconnector if its thread is left behind.
  struct Shared {
    Shared(Options used_options, const base::Clock& used_clock, std::function<void()> wake)
        : options(std::move(used_options)), clock(used_clock), inbound(std::move(wake)) {}

    void run();
    // False if the connection is to end.
    bool try_once();
    struct Attempt {
      std::string error;  // why it has ended
      Connection::Answer answer = Connection::Answer::none;
      std::size_t lost = 0;  // messages
    };
    // Null if the reconnector has gone, or is to end.
    std::optional<Attempt> attempt();

    const Options options;
    const base::Clock& clock;
    Inbound inbound;
    Outbound outbound;
    std::atomic<Phase> phase{Phase::free};
    // Of the thread.
    Protocol protocol = options.protocol == Protocol::automatic ? Protocol::v5 : options.protocol;
    base::Duration delay = kFirstRetry;
    std::minstd_rand random{std::random_device{}()};
  };

  std::shared_ptr<Shared> shared_;
  std::thread thread_;
};

}  // namespace hearth::integrations::mqtt
