// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/connection/connection.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/memory_use.h"
#include "integrations/mqtt/protocol/packet_writer.h"
#include "integrations/mqtt/protocol/reasons.h"

namespace hearth::integrations::mqtt {
namespace {

constexpr std::size_t kReadAtOnce = 64 * 1024;
// Outbound wait while more than this has not gone out.
constexpr std::size_t kMostWaitingBytes = 256 * 1024;
// Answers to messages that the broker has not read.
constexpr std::size_t kMostAnswerBytes = 1024 * 1024;
constexpr std::chrono::milliseconds kPause{1'000};
// So many messages in a span are a flood. When one has ended and the recorder has written what it brought, memory goes
// back to the system; not more often than each kBetweenReturns, because it holds other threads for some milliseconds.
constexpr std::size_t kFlood = 100;
constexpr std::chrono::seconds kFloodSpan{1}, kAfterFlood{15}, kBetweenReturns{10};
// Before MQTT 5 a broker cannot say how many messages it takes at a time; Mosquitto ends a connection with more.
constexpr std::size_t kMostBefore5 = 20;
constexpr std::uint8_t kTakenOver = 0x8E, kUnknownId = 0x92;

}  // namespace

Connection::Connection(const Options& options, Protocol protocol, Inbound& inbound, Outbound& outbound,
                       const base::Clock& clock)
    : options_(options),
      protocol_(protocol),
      inbound_(inbound),
      outbound_(outbound),
      clock_(clock),
      reader_(protocol) {}

base::Result<void> Connection::connect() {
  if (auto begun = append_connect(out_, protocol_, options_); !begun) return begun;
  auto stream = Stream::connect(options_);
  if (!stream) return std::unexpected(std::move(stream.error()));
  stream_ = std::move(*stream);
  return {};
}

void Connection::return_memory_after_flood() {
  const auto now = std::chrono::steady_clock::now();
  if (now < span_end_) return;
  if (std::exchange(delivered_, 0) >= kFlood) {
    return_due_ = std::max(now + kAfterFlood, next_return_);
  } else if (return_due_ && now >= *return_due_) {
    base::return_memory();
    return_due_.reset();
    next_return_ = now + kBetweenReturns;
  }
  span_end_ = now + kFloodSpan;
}

base::Result<void> Connection::serve() {
  const auto deadline = std::chrono::steady_clock::now() + kHandshakeTime;
  last_write_ = last_read_ = std::chrono::steady_clock::now();
  while (!lost_) {
    const bool stopping = outbound_.stopping();
    if (accepted()) {
      std::ranges::move(outbound_.drain(), std::back_inserter(pending_));
      perform_orders();
      if (stopping) say_goodbye();
    }
    if (stopping) return {};
    if (!accepted() && std::chrono::steady_clock::now() >= deadline) lose("the broker does not answer");
    if (!lost_) turn(kPause);
    return_memory_after_flood();
  }
  return base::fail(base::ErrorCode::unavailable, *lost_);
}

std::size_t Connection::leave() {
  Flights::Rest rest = flights_.drain();
  outbound_.done(rest.messages, rest.bytes);
  std::size_t lost = leaving_.size();
  for (const Leaving& message : std::exchange(leaving_, {})) outbound_.done(1, message.bytes);
  for (Order& order : std::exchange(pending_, {})) {
    auto* const message = std::get_if<Publish>(&order);
    if (!message) continue;
    if (message->qos > 0) {
      rest.unconfirmed.push_back(std::move(*message));
    } else {
      outbound_.done(1, size_of(*message));
      ++lost;
    }
  }
  outbound_.give_back(std::move(rest.unconfirmed));
  return lost;
}

void Connection::lose(std::string why) {
  if (!lost_) lost_ = std::move(why);
}

void Connection::perform_orders() {
  while (waiting_bytes() < kMostWaitingBytes) {
    if (auto message = flights_.next()) {
      depart(std::move(*message));
    } else if (!pending_.empty()) {
      Order order = std::move(pending_.front());
      pending_.pop_front();
      perform(order);
    } else {
      return;
    }
  }
}

void Connection::perform(Order& order) {
  if (auto* const message = std::get_if<Publish>(&order)) return publish(std::move(*message));
  const std::uint16_t id = unused_id();
  if (const auto* const subscribing = std::get_if<Subscribe>(&order)) {
    append_subscribe(out_, protocol_, *subscribing, id, broker_.passes_numbers);
    subscribing_.emplace(id, subscribing->filter);
  } else {
    append_unsubscribe(out_, protocol_, std::get<Unsubscribe>(order).filter, id);
    unsubscribing_.insert(id);
  }
}

// 0 is no id. At most kMost messages are under way; of subscriptions there may be more than ids, of which the oldest
// then goes unanswered.
std::uint16_t Connection::unused_id() {
  for (int tries = 0; tries < 65'535; ++tries) {
    last_id_ = last_id_ == 65'535 ? 1 : static_cast<std::uint16_t>(last_id_ + 1);
    if (!flights_.contains(last_id_) && !subscribing_.contains(last_id_) && !unsubscribing_.contains(last_id_))
      return last_id_;
  }
  subscribing_.clear();
  unsubscribing_.clear();
  return unused_id();
}

void Connection::publish(Publish message) {
  message.qos = std::min<int>(message.qos, broker_.highest_qos);
  const std::size_t size = publish_size(protocol_, message);
  std::string refusal;
  if (size > broker_.largest_packet)
    refusal = fmt::format("the broker takes at most {} bytes", broker_.largest_packet);
  else if (message.retain && !broker_.keeps_messages)
    refusal = "the broker takes no retained messages";
  if (!refusal.empty()) {
    outbound_.done(1, size_of(message));
    return inbound_.put(Refused{fmt::format("a message to {} cannot be sent: {}", message.topic, refusal)});
  }
  if (message.qos > 0) return flights_.full() ? flights_.wait(std::move(message)) : depart(std::move(message));
  append_publish(out_, protocol_, message, 0);
  leaving_.push_back({written_ + waiting_bytes(), size_of(message)});
}

void Connection::depart(Publish message) {
  const std::uint16_t id = unused_id();
  append_publish(out_, protocol_, message, id);
  flights_.depart(id, std::move(message));
}

void Connection::turn(std::chrono::milliseconds longest) {
  const bool has_output = waiting_bytes() > 0;
  const short events = static_cast<short>(POLLIN | (has_output ? POLLOUT : 0) | stream_->awaited());
  pollfd watched[] = {{stream_->descriptor(), events, 0}, {outbound_.descriptor(), POLLIN, 0}};
  ::poll(watched, 2, stream_->has_read_ahead() ? 0 : static_cast<int>(longest.count()));
  read();
  if (!lost_) keep_alive();
  if (!lost_) perform_orders();
  if (!lost_) write();
}

void Connection::read() {
  std::array<char, kReadAtOnce> buffer;
  auto outcome = stream_->read(buffer);
  if (outcome.kind == Stream::Outcome::Kind::later) return;
  if (outcome.kind != Stream::Outcome::Kind::done) return end(std::move(outcome));
  last_read_ = std::chrono::steady_clock::now();
  ping_.reset();
  reader_.put({buffer.data(), outcome.bytes});
  while (!lost_) {
    auto packet = reader_.next();
    if (!packet) return lose("what answers there does not speak MQTT as it should: " + packet.error().message);
    if (!*packet) return;
    handle(std::move(**packet));
  }
}

void Connection::write() {
  if (out_.empty()) return;
  auto outcome = stream_->write(std::string_view(out_).substr(gone_));
  if (outcome.kind == Stream::Outcome::Kind::later) return;
  if (outcome.kind != Stream::Outcome::Kind::done) {
    // The broker may have said why before it closed the connection.
    read();
    return end(std::move(outcome));
  }
  last_write_ = std::chrono::steady_clock::now();
  gone_ += outcome.bytes;
  written_ += outcome.bytes;
  if (gone_ > out_.size() / 2) out_.erase(0, std::exchange(gone_, 0));
  if (out_.empty() && out_.capacity() > kMostWaitingBytes) out_ = std::string();
  while (!leaving_.empty() && leaving_.front().end <= written_) {
    outbound_.done(1, leaving_.front().bytes);
    leaving_.pop_front();
  }
}

void Connection::end(Stream::Outcome outcome) {
  const bool closed = outcome.kind == Stream::Outcome::Kind::closed;
  if (answer_ == Answer::none && closed) answer_ = Answer::hung_up;
  if (!closed) return lose(std::move(outcome.error));
  lose(accepted() ? "the broker has closed the connection" : "the broker closes the connection before it answers");
}

void Connection::keep_alive() {
  const std::chrono::seconds keepalive(broker_.keepalive.value_or(static_cast<std::uint16_t>(options_.keepalive)));
  if (!accepted() || keepalive.count() == 0) return;
  const auto now = std::chrono::steady_clock::now();
  if (ping_ && now - *ping_ >= keepalive) return lose("the broker does not answer any more");
  if (ping_ || now - std::min(last_write_, last_read_) < keepalive) return;
  append_ping(out_);
  ping_ = now;
}

// A broker publishes the will only if the connection breaks.
void Connection::say_goodbye() {
  const auto deadline = std::chrono::steady_clock::now() + kFarewellTime;
  if (const auto& will = options_.will) {
    if (!outbound_.put(Publish{will->topic, will->payload, will->qos, will->retain})) return;
    std::ranges::move(outbound_.drain(), std::back_inserter(pending_));
  }
  perform_orders();
  const auto is_done = [&] { return pending_.empty() && flights_.empty() && out_.empty(); };
  while (!is_done() && !lost_ && std::chrono::steady_clock::now() < deadline) turn(std::chrono::milliseconds(20));
  if (lost_ || !is_done()) return;
  append_disconnect(out_);
  write();
}

void Connection::handle(Packet packet) {
  const bool is_welcome = std::holds_alternative<Welcome>(packet);
  if (is_welcome == accepted() && !std::holds_alternative<Farewell>(packet)) {
    return lose(fmt::format("what answers there does not speak MQTT as it should: {}",
                            is_welcome ? "CONNACK: it comes a second time" : "CONNACK: something else comes first"));
  }
  std::visit([this](auto& one) { on(one); }, packet);
}

void Connection::on(const Welcome& welcome) {
  if (welcome.code != 0) {
    answer_ = welcome.refuses_version ? Answer::refused_protocol : Answer::refused;
    return lose(refusal_of(welcome.code, protocol_));
  }
  broker_ = welcome;
  flights_.limit(protocol_ == Protocol::v5 ? welcome.most_under_way : kMostBefore5);
  answer_ = Answer::accepted;
  if (const std::size_t lost = outbound_.drop_unsure(); lost > 0)
    inbound_.put(Refused{fmt::format("messages lost that were to be sent while there was no connection: {}", lost)});
  inbound_.put(Connected{std::string(to_string(protocol_))});
}

void Connection::on(Delivery& delivery) {
  const int qos = delivery.qos;
  const std::uint16_t id = delivery.id;
  const bool is_new = qos != 2 || received_.insert(id).second;
  if (is_new && delivery.payload.size() > core::MqttBroker::kMaxPayload) {
    on(DroppedDelivery{std::move(delivery.topic), 0, 0, delivery.payload.size()});
  } else if (is_new) {
    ++delivered_;
    inbound_.put(Received{
        core::MqttMessage(std::move(delivery.topic), std::move(delivery.payload), qos, delivery.retain, clock_.now()),
        std::move(delivery.numbers)});
  }
  acknowledge(qos, id);
}

void Connection::on(const DroppedDelivery& delivery) {
  if (delivery.qos == 2) received_.insert(delivery.id);
  inbound_.put(Refused{fmt::format("a message of {} bytes on {} is dropped: {} are the limit", delivery.size,
                                   delivery.topic, core::MqttBroker::kMaxPayload)});
  acknowledge(delivery.qos, delivery.id);
}

void Connection::acknowledge(int qos, std::uint16_t id) {
  using Kind = Acknowledgement::Kind;
  if (qos > 0) append_acknowledgement(out_, protocol_, {qos == 1 ? Kind::acknowledged : Kind::received, id});
  // A broker that reads nothing does not fill the memory with answers.
  if (waiting_bytes() > PacketReader::kLargestPacket + kMostWaitingBytes + kMostAnswerBytes)
    lose("the broker takes no answers");
}

void Connection::on(const Acknowledgement& answer) {
  using Kind = Acknowledgement::Kind;
  switch (answer.kind) {
    case Kind::acknowledged:
    case Kind::completed:
      return land(answer.id, answer.code);
    case Kind::received: {
      if (answer.code >= kFirstFailure) return land(answer.id, answer.code);
      const bool known = flights_.receive(answer.id);
      return append_acknowledgement(out_, protocol_, {Kind::released, answer.id, known ? std::uint8_t{0} : kUnknownId});
    }
    case Kind::released: {
      const bool known = received_.erase(answer.id) > 0;
      return append_acknowledgement(out_, protocol_,
                                    {Kind::completed, answer.id, known ? std::uint8_t{0} : kUnknownId});
    }
  }
}

void Connection::land(std::uint16_t id, std::uint8_t code) {
  const auto landed = flights_.land(id);
  if (!landed) return;
  outbound_.done(1, landed->bytes);
  if (code >= kFirstFailure)
    inbound_.put(Refused{fmt::format("the broker refuses a message to {}: {}", landed->topic, reason_of(code))});
}

void Connection::on(const SubscriptionAnswer& answer) {
  const auto found = subscribing_.find(answer.id);
  if (found == subscribing_.end()) return;
  std::string filter = std::move(found->second);
  subscribing_.erase(found);
  if (answer.code < kFirstFailure) return;
  inbound_.put(NotSubscribed{std::move(filter), protocol_ == Protocol::v5 ? reason_of(answer.code) : "not authorised"});
}

void Connection::on(const UnsubscriptionAnswer& answer) {
  unsubscribing_.erase(answer.id);
}

void Connection::on(const Farewell& farewell) {
  if (farewell.code == kTakenOver)
    lose(fmt::format("another client uses the client id {}", options_.client_id));
  else if (farewell.code >= kFirstFailure)
    lose(fmt::format("the broker ends the connection: {}", reason_of(farewell.code)));
  else
    lose(accepted() ? "the broker has closed the connection" : "the broker closes the connection before it answers");
}

}  // namespace hearth::integrations::mqtt
