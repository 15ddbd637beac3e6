// SPDX-License-Identifier: Apache-2.0
// The end of a channel on the thread `net`, which alone uses it: sends one request after the other, and waits for each
// answer.
#pragma once

#include <chrono>
#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "integrations/modbus/connection/channel.h"
#include "net/reactor/timer.h"

namespace hearth::integrations::modbus {

struct LineOptions {
  explicit LineOptions(const HubOptions& hub);

  HubOptions::Type type;
  std::string name, host;
  std::uint16_t port;
  net::SerialOptions serial;
  std::chrono::milliseconds delay, message_wait, timeout;
  Framing framing;
};

class Line final : private net::Link::Handler {
 public:
  struct Job {
    std::uint64_t id;
    Request request;
  };
  // So many requests without an answer, one after the other, are reason to connect anew.
  static constexpr int kMostSilent = 3;
  // After an answer that was broken or late: what comes until then belongs to nothing.
  static constexpr std::chrono::milliseconds kQuiet{200};

  Line(net::Reactor& reactor, LineOptions options, net::BusSender<Channel::Arrival> arrivals);

  // At most Channel::kMaxPending.
  void submit(Job job, bool first);
  void stop();
  void resume();

 private:
  using Arrival = Channel::Arrival;

  void on_connected() override;
  void on_bytes(std::string_view bytes) override;
  void on_lost(const net::Failure& why, std::chrono::milliseconds retry_in) override;

  bool is_open() const;
  void send_next();
  void pause(std::chrono::milliseconds time);
  void finish(Answer answer);
  void late();
  void fail_all(const std::string& why);
  void put(Arrival arrival);

  const LineOptions options_;
  net::BusSender<Arrival> arrivals_;
  AnswerReader reader_;
  std::deque<Job> waiting_;
  std::size_t commands_ = 0;  // the first ones of those
  std::optional<Job> asked_;
  std::uint16_t transaction_ = 0;
  int silent_ = 0;
  net::Timer limit_, pause_;
  std::unique_ptr<net::Link> link_;
};

}  // namespace hearth::integrations::modbus
