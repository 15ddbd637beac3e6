// SPDX-License-Identifier: Apache-2.0
// One connection to the broker, from the attempt to its end, with libmosquitto. The connection's thread only.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "base/clock.h"
#include "integrations/mqtt/arrivals.h"
#include "integrations/mqtt/options.h"
#include "integrations/mqtt/orders.h"

struct mosquitto;
struct mqtt5__property;

namespace hearth::integrations::mqtt {

class Session {
 public:
  // A broker that has accepted the TCP connection has so long to answer.
  static constexpr std::chrono::seconds kHandshakeTime{10};
  // The last message has so long to go out.
  static constexpr std::chrono::milliseconds kFarewellTime{1'000};

  // All must outlive this.
  Session(const Options& options, Protocol protocol, Arrivals& arrivals, Orders& orders, const base::Clock& clock);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Finds the host and connects to it; may take minutes. Fails with a message for people.
  base::Result<void> connect();
  // Until the connection is lost, which is the error, or the orders say stop.
  base::Result<void> serve();

  // What the broker has said to the attempt.
  enum class Answer { none, accepted, hung_up, refused_protocol, refused };
  Answer answer() const { return answer_; }

 private:
  struct Callbacks;
  struct Sent {
    std::size_t bytes;
    std::string topic;  // of messages that the broker acknowledges
  };

  bool accepted() const { return answer_ == Answer::accepted; }
  base::Result<void> prepare();
  base::Result<void> prepare_tls();
  void perform(Order& order);
  void subscribe(const Subscribe& order);
  void publish(const Publish& message);
  // Waits for the network, and reads and writes what can be. A code of libmosquitto.
  int turn(std::chrono::milliseconds longest);
  void say_goodbye();
  std::string reason(int code) const;

  void on_connect(int code, const mqtt5__property* properties);
  void on_message(const char* topic, std::string_view payload, int qos, bool retain, const mqtt5__property* properties);
  void on_published(int id, int code);
  void on_subscribed(int id, int code);
  void on_disconnect(int code);

  const Options& options_;
  const Protocol protocol_;  // not automatic
  Arrivals& arrivals_;
  Orders& orders_;
  const base::Clock& clock_;
  std::unique_ptr<mosquitto, void (*)(mosquitto*)> library_;
  std::unordered_map<int, Sent> sent_;                // under way, by the library's id
  std::unordered_map<int, std::string> subscribing_;  // filters that the broker has not answered, likewise
  std::optional<std::string> lost_;                   // why
  std::string detail_;                                // the library's first words on an error
  std::uint64_t arrived_ = 0;                         // messages
  int reported_ = 0;                                  // the message that has gone last
  Answer answer_ = Answer::none;
  bool numbers_ = false;  // the broker passes on the numbers of filters
};

}  // namespace hearth::integrations::mqtt
