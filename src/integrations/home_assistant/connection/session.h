// SPDX-License-Identifier: Apache-2.0
// The session with the hub there, over all its connections: greets it, reads the home (home_reader.h), keeps the
// connection alive, and passes the mirror's commands on. Thread `net` only.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>

#include "integrations/home_assistant/connection/home_reader.h"

namespace hearth::integrations::home_assistant {

// The network and the time, as the session needs them.
class SessionWire {
 public:
  virtual ~SessionWire() = default;
  virtual void send(std::string text) = 0;
  // Ends the connection; Session::lost comes later.
  virtual void end(Lost::Why why, std::string message) = 0;
  virtual void tell(News news) = 0;
  // Session::on_time is called then, once; an earlier wish no longer counts. Null: not at all.
  virtual void wake_at(std::optional<base::SteadyTime> time) = 0;
  // Stands still while the connection is not read, so that nobody is late because of that.
  virtual base::SteadyTime now() const = 0;
  virtual base::Timestamp time() const = 0;
};

class Session final : private Commands {
 public:
  static constexpr base::Duration kGreeting = std::chrono::seconds(10), kAnswer = std::chrono::seconds(30);
  static constexpr base::Duration kSilence = std::chrono::seconds(25), kPong = std::chrono::seconds(10);
  static constexpr base::Duration kLatencyEach = std::chrono::seconds(60);
  static constexpr std::size_t kMaxPending = 8'192;  // commands without an answer; further ones are not sent

  Session(SessionOptions options, SessionWire& wire);

  // A connection; what arrives; its end, or that of an attempt.
  void opened();
  void receive(std::string_view text);
  void lost(Lost lost);
  void on_time();

  // As HubLink has them.
  void send(std::uint64_t number, json::object command, base::Duration limit);
  void subscribe(std::uint64_t number, json::object command);
  void unsubscribe(std::uint64_t number);
  void ask_again();
  void tell_again(const std::string& entity_id);

  // Messages that nobody here understands, of all connections.
  std::uint64_t unknown_messages() const { return unknown_; }

 private:
  enum class Stage { closed, greeting, open, ending };
  struct Pending {
    base::SteadyTime deadline;
    std::string type = {};
    Done done = {};  // empty: of the mirror, with its number
    IfLate if_late = IfLate::fail;
    std::uint64_t number = 0;
  };

  std::uint64_t ask(json::object command, Done done, IfLate if_late) override;
  std::uint64_t follow(json::object command, OnEvent event, Done done) override;
  void unfollow(std::uint64_t id) override;
  base::SteadyTime now() const override { return wire_.now(); }

  std::uint64_t transmit(json::object command, Pending pending);
  void take(const Incoming& message);
  void greet(const Incoming& message);
  void take_result(const Incoming& message);
  void answer(std::uint64_t number, const Incoming& message);
  void tell(News news);
  void end(Lost::Why why, std::string message);
  void check_answers();
  void check_silence();
  void ping();
  // Asks to be called when the next thing is due.
  void arrange();

  const SessionOptions options_;
  SessionWire& wire_;
  Stage stage_ = Stage::closed;
  std::uint64_t last_id_ = 0, unknown_ = 0;
  std::unordered_map<std::uint64_t, Pending> pending_;
  std::unordered_map<std::uint64_t, OnEvent> followed_;
  std::unordered_map<std::uint64_t, std::uint64_t> subscriptions_;  // of the mirror: its number, and the id
  std::set<std::string> missing_;                                   // commands that this hub does not know
  std::optional<base::SteadyTime> greeting_at_, answers_at_, silence_at_, woken_at_;
  base::SteadyTime heard_ = {}, pinged_ = {};
  std::uint64_t ping_id_ = 0;  // without an answer; 0: none
  HomeReader reader_;
};

}  // namespace hearth::integrations::home_assistant
