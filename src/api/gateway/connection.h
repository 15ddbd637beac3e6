// SPDX-License-Identifier: Apache-2.0
// One client of the WebSocket API: its authentication, the ids of its commands, which must rise, and its subscriptions.
// Belongs to its socket; worker thread only.
//
// Bounds: core::Limits::subscriptions, and core::Limits::commands that are not answered, including the commands of an
// array that have not run; one more is refused. Of an array at most kTurnCommands run in one turn, or fewer if they
// take kTurnTime or kTurnBytes wait for the client; then other connections have their turn. Of the commands that wait
// only the text is kept, and nothing else is read from the client. Subscriptions get a batch of events in such turns,
// too; behind the batch that is being sent at most kMaxBatches wait, or as many bytes of events as may wait for a
// client, then the connection is cut. The socket bounds what waits to be sent. A connection that was cut runs nothing
// more.
//
// A command that the audit log records waits for its row; later ones wait, too, so that they see its effect.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "api/accounts/user_data_change.h"
#include "api/gateway/command.h"
#include "audit/entry.h"
#include "auth/accounts/gate.h"
#include "base/json/json_elements.h"
#include "core/view.h"
#include "http/websocket.h"

namespace hearth::api {

class LiveBatch;

// One subscription of a command. Ends when destroyed. This one alone is a place among the subscriptions that hears
// nothing.
class LiveSubscription {
 public:
  virtual ~LiveSubscription() = default;
  // Sends what the batch, or the change of the caller's own data, has for it.
  virtual void deliver(LiveBatch&, http::WebSocket&) {}
  virtual void deliver(const UserDataChange&, http::WebSocket&) {}
};

class Connection final : public http::WebSocketHandler {
 public:
  static constexpr std::size_t kTurnCommands = 64;
  static constexpr std::size_t kTurnBytes = 1024 * 1024;
  static constexpr std::chrono::microseconds kTurnTime{500};
  static constexpr std::size_t kMaxBatches = 1'024;

  Connection(auth::Gate& gate, HomeSettings& settings, SocketHub& sockets);
  ~Connection() override;

  void opened(http::WebSocket& socket) override;
  void received(std::string_view payload, bool binary) override;

  // For commands.
  SocketHub& sockets() const { return sockets_; }
  http::Worker& worker() const { return socket_->worker(); }
  std::uint64_t session() const { return socket_->id(); }
  void when_drained(std::function<void()> callback) { socket_->when_drained(std::move(callback)); }
  auto client() const { return socket_->client(); }           // its address
  void answer(std::int64_t id, const CommandResult& result);  // one that was left open
  void answer(std::int64_t id, http::BodySource result);      // likewise, with one that is made piece by piece
  void send_event(std::int64_t id, std::string_view event_json);
  void send_event(std::int64_t id, http::BodySource event_json);
  void set_coalescing(bool on) { socket_->set_coalescing(on); }
  // Fails with throttled if the token has too many, with unavailable if there are too many, or if their filters, with
  // one that takes so many bytes, are too large. Asked before subscribe.
  base::Result<void> may_subscribe(std::size_t filter_bytes = 0) const;
  void subscribe(std::int64_t id, std::unique_ptr<LiveSubscription> subscription, std::size_t filter_bytes = 0);
  bool unsubscribe(std::int64_t id);  // false where there is none with that id

  const auth::IdentityPtr& caller() const { return caller_; }
  const auth::Gate& gate() const { return gate_; }

  // For the hub of sockets.
  void deliver(std::shared_ptr<LiveBatch> batch);
  void deliver_rest();  // of what others had to be let before
  void deliver(const UserDataChange& change);
  bool subscribed() const { return !subscriptions_.empty(); }
  // Ends the connection if the caller may no longer be here.
  void check_caller();
  void cut() { socket_->cut(); }

 private:
  enum class Phase { authenticating, ready, over };

  void authenticate(std::string_view payload);
  void refuse(std::string_view message);
  void run_several();
  void run(const json::value& message, bool admitted);
  // Runs commands that waited, up to the next one that has to be recorded.
  void run_deferred();
  void record(audit::Entry entry);
  void recorded(const base::Result<void>& done);
  // On this thread, if the connection is still there.
  static void post_to(SocketHub& sockets, const std::weak_ptr<boost::asio::io_context>& io, std::size_t worker,
                      std::uint64_t session, std::function<void(Connection&)> task);
  std::optional<audit::Entry> entry_of(const Command& command, const json::object& message) const;
  void count_denied(std::string_view type);
  void run_command(const Command& command, std::int64_t id, const json::object& message);
  void send_result(std::int64_t id, const CommandResult& result);
  void send(std::string_view text);
  void send(std::string before, http::BodySource pieces);
  void end(std::uint16_t code, std::string_view reason);

  auth::Gate& gate_;
  HomeSettings& settings_;
  SocketHub& sockets_;
  core::View home_;  // the caller's; of nothing until there is one
  http::WebSocket* socket_ = nullptr;
  Phase phase_ = Phase::authenticating;
  bool receiving_ = false;
  auth::IdentityPtr caller_;
  auth::UsePlace use_;  // of the caller
  std::int64_t last_id_ = 0;
  std::size_t unanswered_ = 0;
  base::JsonElements several_;  // of an array of commands, those that have not run
  std::size_t admitted_ = 0;    // so many of these may; the others are too many
  struct Deferred {
    const Command* command;
    std::int64_t id;
    json::object message;
  };
  std::deque<Deferred> deferred_;  // the first one is being recorded, the others wait for it; they count as unanswered
  std::string_view running_;       // the type of the command that is running
  struct Subscribed {
    std::unique_ptr<LiveSubscription> subscription;
    std::size_t filter_bytes;
    auth::UsePlace use;
  };
  std::map<std::int64_t, Subscribed> subscriptions_;
  std::size_t filter_bytes_ = 0;  // of all of them
  // Frames that the subscriptions are to get; of the first, those up to delivered_ have it.
  std::deque<std::shared_ptr<LiveBatch>> batches_;
  std::size_t batch_bytes_ = 0;
  std::int64_t delivered_ = 0;
};

}  // namespace hearth::api
