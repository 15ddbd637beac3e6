// SPDX-License-Identifier: Apache-2.0
// One session with a node, from the first byte to the last: greets it, lets it describe itself and its entities,
// subscribes to its states, keeps the connection alive, and answers what needs no home. Bus thread only.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "domains/entities/integration_bus.h"
#include "integrations/esphome/protocol/frames.h"
#include "integrations/esphome/protocol/messages.h"
#include "integrations/esphome/protocol/noise.h"
#include "integrations/esphome/session/recent_messages.h"
#include "integrations/esphome/session/wire.h"

namespace hearth::integrations::esphome {

struct SessionOptions {
  std::string client_info;           // "Hearth 2026.11.0"
  std::optional<NodeKey> key = {};   // null: plain
  std::string password = {};         // of old nodes
  std::string posix_time_zone = {};  // "CET-1CEST,M3.5.0,M10.5.0/3"; empty: not told
};

// Why a session ended.
struct SessionEnd {
  enum class Cause {
    lost,          // the connection, or an answer
    said_goodbye,  // the node, which restarts or sleeps
    closed,        // by the hub
    broken,        // the node sends what no node may send
    flood,         // the node sends more than it may
    needs_key,     // and this and what follows wait for a person
    wrong_key,
    no_encryption,
    wrong_password,
    unsupported,
    refused,  // by the hub: it is not the node that was expected
  };
  Cause cause;
  std::string text;  // a sentence for people

  bool waits_for_person() const { return cause >= Cause::needs_key; }
};

class SessionEvents {
 public:
  virtual ~SessionEvents() = default;
  // The node describes itself. An error ends the session as refused, with its message.
  virtual base::Result<void> on_node(const proto::NodeInfo& info) = 0;
  // One of its entities or actions, or a component that the hub does not know. False if it cannot be read.
  virtual bool on_listed(std::uint32_t type, std::string_view payload) = 0;
  // All have come. States and requests follow.
  virtual void on_ready() = 0;
  // A state, a request, an answer to an action. False if it cannot be read.
  virtual bool on_message(std::uint32_t type, std::string_view payload) = 0;
  // Once, at the end; a later task may destroy the session.
  virtual void on_end(const SessionEnd& end) = 0;
};

class Session {
 public:
  static constexpr base::Duration kGreetingLimit = std::chrono::seconds(10);
  static constexpr base::Duration kListLimit = std::chrono::seconds(30);
  static constexpr base::Duration kPingAfter = std::chrono::seconds(20), kLostAfter = std::chrono::seconds(90);
  static constexpr std::size_t kMaxListed = 1'000;
  static constexpr std::size_t kMaxListedBytes = 4 * 1024 * 1024;
  static constexpr std::size_t kMaxPerSecond = 2'000;  // messages, for kFloodSeconds in a row
  static constexpr int kFloodSeconds = 10;

  // All must outlive this.
  Session(domains::IntegrationBus& bus, const base::Clock& clock, SessionOptions options, Wire& wire,
          SessionEvents& events, RecentMessages& recent);

  // The wire is connected.
  void begin();
  void receive(std::string_view bytes);
  // The wire is no more; `why` is a sentence. No effect before begin.
  void lost(std::string why);
  // Says goodbye. on_end follows.
  void close();

  bool ready() const { return stage_ == Stage::ready; }
  // False if the message was not sent: the node is not ready, or the message is too long.
  bool send(std::uint32_t type, const google::protobuf::MessageLite& message);
  // Gives the node, which has none, a key. `done` gets its answer; false if the session ends before, or is not ready.
  void set_key(std::string base64, std::function<void(bool success)> done);

 private:
  enum class Stage { idle, greeting, describing, listing, ready, ended };

  void greet();
  void transmit(std::uint32_t type, std::string_view payload);
  void transmit(std::uint32_t type, const google::protobuf::MessageLite& message);
  void read();
  bool handle(const Frame& frame);
  bool handle_greeting(const Frame& frame);
  bool answer_time();
  bool take_node(std::string_view payload);
  bool take_listed(const Frame& frame);
  void become_ready();
  bool floods();
  void expect_within(base::Duration limit, std::string_view what);
  void keep_alive();
  void end(SessionEnd::Cause cause, std::string text);

  domains::IntegrationBus& bus_;
  const base::Clock& clock_;
  const SessionOptions options_;
  Wire& wire_;
  SessionEvents& events_;
  RecentMessages& recent_;
  std::unique_ptr<Framing> framing_;
  Stage stage_ = Stage::idle;
  std::size_t listed_ = 0, listed_bytes_ = 0;
  base::SteadyTime last_heard_ = {};
  base::SteadyTime second_ = {};  // the present one, of the count
  std::size_t in_second_ = 0;
  int flooded_seconds_ = 0;
  std::function<void(bool)> key_done_;
  core::Timer deadline_, alive_;
};

}  // namespace hearth::integrations::esphome
