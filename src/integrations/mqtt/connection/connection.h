// SPDX-License-Identifier: Apache-2.0
// One connection to the broker, from the attempt to its end. The connection's thread only.
#pragma once

#include <chrono>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "base/clock.h"
#include "integrations/mqtt/protocol/flights.h"
#include "integrations/mqtt/protocol/inbound.h"
#include "integrations/mqtt/protocol/options.h"
#include "integrations/mqtt/protocol/outbound.h"
#include "integrations/mqtt/protocol/packet_reader.h"
#include "integrations/mqtt/protocol/stream.h"

namespace hearth::integrations::mqtt {

class Connection {
 public:
  // A broker that has accepted the TCP connection has so long to answer.
  static constexpr std::chrono::seconds kHandshakeTime{10};
  // The last message has so long to go out.
  static constexpr std::chrono::milliseconds kFarewellTime{1'000};

  // All must outlive this.
  Connection(const Options& options, Protocol protocol, Inbound& inbound, Outbound& outbound, const base::Clock& clock);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Finds the host and connects to it; may take minutes. Fails with a message for people.
  base::Result<void> connect();
  // Until the connection is lost, which is the error, or outbound says stop.
  base::Result<void> serve();
  // Once, after serve: gives orders that the broker has not confirmed back, as far as they must not be lost.
  // Returns how many messages are lost.
  std::size_t leave();

  // The broker's answer to the attempt.
  enum class Answer { none, accepted, hung_up, refused_protocol, refused };
  Answer answer() const { return answer_; }

 private:
  using Time = std::chrono::steady_clock::time_point;
  struct Leaving {
    std::uint64_t end;  // of its packet in all that goes out
    std::size_t bytes;
  };

  bool accepted() const { return answer_ == Answer::accepted; }
  std::size_t waiting_bytes() const { return out_.size() - gone_; }
  void perform_orders();
  void perform(Order& order);
  void publish(Publish message);
  void depart(Publish message);
  std::uint16_t unused_id();
  // Waits for the network, and reads and writes what can be.
  void turn(std::chrono::milliseconds longest);
  void read();
  void write();
  void keep_alive();
  void say_goodbye();
  void lose(std::string why);
  void end(Stream::Outcome outcome);

  void handle(Packet packet);
  void on(const Welcome& welcome);
  void on(Delivery& delivery);
  void on(const DroppedDelivery& delivery);
  void on(const Acknowledgement& answer);
  void on(const SubscriptionAnswer& answer);
  void on(const UnsubscriptionAnswer& answer);
  void on(const Pong&) {}
  void on(const Farewell& farewell);
  void acknowledge(int qos, std::uint16_t id);
  // Returns the memory of a flood of messages, which wait for the home for a while, once it is over.
  void return_memory_after_flood();
  void land(std::uint16_t id, std::uint8_t code);

  const Options& options_;
  const Protocol protocol_;  // not automatic
  Inbound& inbound_;
  Outbound& outbound_;
  const base::Clock& clock_;
  std::unique_ptr<Stream> stream_;
  PacketReader reader_;
  std::string out_;              // goes out, from gone_ on
  std::size_t gone_ = 0;         // bytes
  std::uint64_t written_ = 0;    // bytes of the whole connection
  std::deque<Order> pending_;    // until there is room in out_
  std::deque<Leaving> leaving_;  // messages that nobody confirms, in out_
  Flights flights_;
  std::unordered_map<std::uint16_t, std::string> subscribing_;  // filters that the broker has not answered, by id
  std::unordered_set<std::uint16_t> unsubscribing_;             // ids, likewise
  std::unordered_set<std::uint16_t> received_;  // ids of messages of quality of service 2 that have come
  Welcome broker_;
  std::optional<std::string> lost_;  // why
  Time last_write_, last_read_;
  std::optional<Time> ping_;        // that nothing has followed
  std::size_t delivered_ = 0;       // messages, in the present span of kFloodSpan
  std::optional<Time> return_due_;  // of memory, after a flood
  Time span_end_ = {}, next_return_ = {};
  std::uint16_t last_id_ = 0;
  Answer answer_ = Answer::none;
};

}  // namespace hearth::integrations::mqtt
