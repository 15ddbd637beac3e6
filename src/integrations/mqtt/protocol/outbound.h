// SPDX-License-Identifier: Apache-2.0
// Messages to the broker on their way from the bus thread to the connection's thread, which wakes when something comes.
//
// Bounds: kMaxMessages and kMaxBytes wait or are under way; further messages are refused. Subscriptions have no bound
// here: there are as many as filters.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/result.h"

namespace hearth::integrations::mqtt {

struct Subscribe {
  std::string filter;
  int qos;
  std::uint32_t number;
};
struct Unsubscribe {
  std::string filter;
};
struct Publish {
  std::string topic, payload;
  int qos;
  bool retain;
  std::uint32_t expiry = 0;  // after so many seconds the broker drops it, with MQTT 5 (§3.3.2.3.3); 0: never
};
using Order = std::variant<Subscribe, Unsubscribe, Publish>;

class Outbound {
 public:
  static constexpr std::size_t kMaxMessages = 65'536;
  static constexpr std::size_t kMaxBytes = 64 * 1024 * 1024;

  Outbound() = default;
  ~Outbound();
  Outbound(const Outbound&) = delete;
  Outbound& operator=(const Outbound&) = delete;
  // Once, before the others. Fails if the system has no descriptor left.
  base::Result<void> open();

  // Any thread. Fails with unavailable if too much waits.
  base::Result<void> put(Order order);
  // Any thread: the connection is to end. What waits is still sent if there is a connection.
  void stop();

  // The connection's thread. Readable if something waits, or the connection is to end.
  int descriptor() const { return event_; }
  bool stopping() const { return stopping_.load(std::memory_order_acquire); }
  std::vector<Order> drain();
  // So many messages, with so many bytes, have gone, or never will.
  void done(std::size_t messages, std::size_t bytes);
  // The connection has ended: these, which count as before, are sent first on the next one.
  void give_back(std::vector<Publish> messages);
  // None that waits is for the next connection, except messages with a quality of service above 0. Returns how many
  // messages are dropped.
  std::size_t drop_unsure();
  // Any thread. Messages that wait or are under way.
  std::size_t messages() const;
  // The connection's thread. Until the connection is to end, or so long.
  void pause(base::Duration time);

 private:
  void wake();

  int event_ = -1;
  std::atomic<bool> stopping_{false};
  mutable base::Mutex mutex_;
  std::vector<Order> waiting_ __attribute__((guarded_by(mutex_)));
  std::size_t messages_ __attribute__((guarded_by(mutex_))) = 0;
  std::size_t bytes_ __attribute__((guarded_by(mutex_))) = 0;
};

// The weight of a message.
std::size_t size_of(const Publish& message);

}  // namespace hearth::integrations::mqtt
