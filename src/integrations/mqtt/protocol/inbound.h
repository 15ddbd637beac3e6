// SPDX-License-Identifier: Apache-2.0
// Messages from the broker on their way from the connection's thread to the bus thread.
//
// Bounds: kMaxMessages and kMaxBytes. At the bound the connection's thread waits, and so does the broker: nothing is
// lost on this side.
#pragma once

#include <boost/container/small_vector.hpp>
#include <deque>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "base/mutex.h"
#include "core/mqtt.h"

namespace hearth::integrations::mqtt {

// Numbers of the filters that a message is for, if the broker says so.
using FilterNumbers = boost::container::small_vector<std::uint32_t, 2>;

struct Received {
  core::MqttMessage message;
  FilterNumbers numbers;
};
// The broker has accepted the connection.
struct Connected {
  std::string protocol;
};
// It is lost, or another attempt has failed.
struct Lost {
  std::string error;           // for people
  base::Duration retry_in;     // until the next attempt
  bool other_version = false;  // which speaks another version of MQTT
  std::size_t messages = 0;    // that went with it
};
// The broker refuses something in particular.
struct Refused {
  std::string what;  // for the log
};
// The broker refuses a subscription.
struct NotSubscribed {
  std::string filter;
  std::string why;  // for the log
};
using Arrival = std::variant<Received, Connected, Lost, Refused, NotSubscribed>;

class Inbound {
 public:
  static constexpr std::size_t kMaxMessages = 65'536;
  static constexpr std::size_t kMaxBytes = 64 * 1024 * 1024;

  // `wake` makes the bus thread call drain soon; it is called on the connection's thread, without the lock, for the
  // first arrival after a drain that returned none.
  explicit Inbound(std::function<void()> wake) : wake_(std::move(wake)) {}

  // The connection's thread. Waits for room for messages. No effect after close.
  void put(Arrival arrival);
  // The bus thread. The first ones, at most `most`; after none, the next arrival wakes.
  std::vector<Arrival> drain(std::size_t most);
  // Any thread. Nobody waits any more.
  void close();

 private:
  const std::function<void()> wake_;
  base::Mutex mutex_;
  base::ConditionVariable room_;
  std::deque<Arrival> waiting_ __attribute__((guarded_by(mutex_)));
  std::size_t bytes_ __attribute__((guarded_by(mutex_))) = 0;
  bool woken_ __attribute__((guarded_by(mutex_))) = false;
  bool closed_ __attribute__((guarded_by(mutex_))) = false;
};

}  // namespace hearth::integrations::mqtt
