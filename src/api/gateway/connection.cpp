// SPDX-License-Identifier: Apache-2.0
#include "api/gateway/connection.h"

#include <fmt/format.h>

#include <boost/asio/post.hpp>

#include "api/call.h"
#include "api/elsewhere/forward.h"
#include "api/gateway/audited.h"
#include "api/gateway/live_batch.h"
#include "api/gateway/message_reader.h"
#include "api/gateway/socket_hub.h"
#include "audit/log.h"
#include "base/log/log.h"

namespace hearth::api {
namespace {

// Status codes of RFC 6455 §7.4.1.
constexpr std::uint16_t kNormalClosure = 1000;
constexpr std::uint16_t kUnsupportedData = 1003;
constexpr std::uint16_t kInvalidPayload = 1007;
constexpr std::uint16_t kPolicyViolation = 1008;
constexpr std::uint16_t kTryAgainLater = 1013;  // IANA

std::string error_text(const json::value& id, const CommandError& error) {
  return base::to_json(
      json::object{{"id", id}, {"type", "result"}, {"success", false}, {"error", to_json_object(error)}});
}

}  // namespace

Connection::Connection(auth::Gate& gate, HomeSettings& settings, SocketHub& sockets)
    : gate_(gate), settings_(settings), sockets_(sockets), home_(sockets.hub(), core::Rights::none()) {}

Connection::~Connection() {
  if (socket_) sockets_.remove(*this);
}

void Connection::opened(http::WebSocket& socket) {
  socket_ = &socket;
  sockets_.add(*this);
  send(base::to_json(json::object{{"type", "auth_required"}, {"ha_version", home_.config()->version}}));
}

void Connection::received(std::string_view payload, bool binary) {
  if (phase_ == Phase::over) return;
  receiving_ = true;
  if (binary) {
    end(kUnsupportedData, "Messages are text.");
  } else if (phase_ == Phase::authenticating) {
    authenticate(payload);
  } else if (const auto message = base::parse_json(payload); !message) {
    end(kInvalidPayload, "Messages are JSON.");
  } else if (message->is_array()) {
    several_ = base::JsonElements(std::string(payload));
    admitted_ = home_.limits().commands - std::min(unanswered_, home_.limits().commands);
    run_several();
  } else {
    run(*message, unanswered_ < home_.limits().commands);
  }
  receiving_ = false;
}

// Some of an array's commands; the rest when others have had their turn.
void Connection::run_several() {
  const auto until = std::chrono::steady_clock::now() + kTurnTime;
  for (std::size_t i = 0; i < kTurnCommands && socket_->waiting_bytes() < kTurnBytes && !several_.empty(); ++i) {
    if (i > 0 && std::chrono::steady_clock::now() >= until) break;
    if (phase_ != Phase::ready || socket_->over()) break;
    run(base::parse_json(several_.next()).value(), admitted_ > 0);
    admitted_ -= std::min<std::size_t>(admitted_, 1);
  }
  if (several_.empty() || phase_ != Phase::ready || socket_->over()) {
    several_ = {};
    return;
  }
  socket_->set_aside([this] {
    receiving_ = true;
    run_several();
    receiving_ = false;
  });
}

void Connection::authenticate(std::string_view payload) {
  const auto message = base::parse_json(payload);
  if (!message) return refuse("Auth message incorrectly formatted: it is not valid JSON");
  const json::object* const object = message->if_object();
  const json::value* const type = object ? object->if_contains("type") : nullptr;
  if (!type || *type != "auth") return refuse("Auth message incorrectly formatted: expected an object of type auth");
  const json::value* const token = object->if_contains("access_token");
  if (!token || !token->is_string()) return refuse("Auth message incorrectly formatted: expected access_token, a text");

  caller_ = gate_.authenticator.authenticate(token->get_string());
  if (!caller_) {
    gate_.throttle.failed(socket_->client(), auth::LoginPurpose::websocket);
    return refuse("Invalid access token or password");
  }
  gate_.authenticator.note_use(*caller_, socket_->client());
  if (caller_->usage->full(auth::Use::socket, gate_.use_limits)) {
    // Not auth_invalid, at which clients forget their token.
    const std::string_view reason = "This token or user has too many WebSockets (token_sockets).";
    send(error_text(0, {command_error::kTooManyRequests, std::string(reason)}));
    return end(kTryAgainLater, reason);
  }
  use_ = auth::UsePlace(caller_->usage, auth::Use::socket);
  home_ = core::View(sockets_.hub(), rights_of(*caller_));
  phase_ = Phase::ready;
  socket_->admit();
  send(base::to_json(json::object{{"type", "auth_ok"}, {"ha_version", home_.config()->version}}));
}

void Connection::refuse(std::string_view message) {
  send(base::to_json(json::object{{"type", "auth_invalid"}, {"message", message}}));
  end(kNormalClosure, "");
}

void Connection::run(const json::value& message, bool admitted) {
  const json::object* const object = message.if_object();
  const json::value* const id = object ? object->if_contains("id") : nullptr;
  const json::value* const type = object ? object->if_contains("type") : nullptr;
  const std::int64_t* const number = id ? id->if_int64() : nullptr;
  if (!number || *number < 1 || !type || !type->is_string()) {
    const json::value echoed = id && id->is_number() ? *id : json::value(0);
    return send(error_text(echoed, {command_error::kInvalidFormat, "Message incorrectly formatted."}));
  }
  const auto refuse_command = [&](std::string_view code, std::string_view text) {
    send(error_text(*id, {code, std::string(text)}));
  };
  if (*number <= last_id_) return refuse_command(command_error::kIdReuse, "Identifier values have to increase.");
  last_id_ = *number;

  const auto wait = auth::Usage::take_request(caller_->usage, gate_.use_limits, gate_.clock());
  if (wait.count() > 0) {
    return refuse_command(command_error::kTooManyRequests,
                          fmt::format("Too many requests of this token or user (requests_per_second). Try again in {} "
                                      "seconds.",
                                      wait.count()));
  }
  const Command* const command = find_command(type->get_string());
  if (!command) return refuse_command(command_error::kUnknownCommand, "Unknown command.");
  if (auto may = check_access(command->access, home_.rights(), "command"); !may) {
    count_denied(command->type);
    return refuse_command(command_error::kUnauthorized, may.error().message);
  }
  if (!admitted || unanswered_ >= home_.limits().commands) {
    return refuse_command(command_error::kHomeAssistantError,
                          fmt::format("Too many commands of this client are under way: {} are the limit (commands).",
                                      home_.limits().commands));
  }
  auto entry = deferred_.empty() ? entry_of(*command, *object) : std::nullopt;
  if (deferred_.empty() && !entry) return run_command(*command, *number, *object);
  ++unanswered_;
  deferred_.push_back({command, *number, *object});
  if (entry) record(std::move(*entry));
}

std::optional<audit::Entry> Connection::entry_of(const Command& command, const json::object& message) const {
  const Audited recorded = sockets_.parts().audit ? audited(command) : Audited::no;
  if (recorded == Audited::no) return {};
  return audit_entry(recorded, command, message, *caller_, client(), home_);
}

void Connection::post_to(SocketHub& sockets, const std::weak_ptr<boost::asio::io_context>& io, std::size_t worker,
                         std::uint64_t session, std::function<void(Connection&)> task) {
  const auto alive = io.lock();  // and with it the hub of sockets
  if (!alive) return;
  boost::asio::post(*alive, [&sockets, worker, session, task = std::move(task)] {
    if (Connection* const connection = sockets.find(worker, session)) task(*connection);
  });
}

void Connection::record(audit::Entry entry) {
  sockets_.parts().audit->record(
      std::move(entry), [&sockets = sockets_, io = worker().weak_io(), worker = worker().index(),
                         session = session()](const base::Result<void>& done) {
        post_to(sockets, io, worker, session, [done](Connection& connection) { connection.recorded(done); });
      });
}

void Connection::recorded(const base::Result<void>& done) {
  if (deferred_.empty()) return;  // it has ended
  const Deferred first = std::move(deferred_.front());
  deferred_.pop_front();
  --unanswered_;
  if (done)
    run_command(*first.command, first.id, first.message);
  else
    send_result(first.id, std::unexpected(done.error()));
  run_deferred();
}

void Connection::run_deferred() {
  const auto until = std::chrono::steady_clock::now() + kTurnTime;
  while (!deferred_.empty() && phase_ == Phase::ready && !socket_->over()) {
    if (auto entry = entry_of(*deferred_.front().command, deferred_.front().message)) return record(std::move(*entry));
    if (std::chrono::steady_clock::now() >= until) {
      return post_to(sockets_, worker().weak_io(), worker().index(), session(),
                     [](Connection& connection) { connection.run_deferred(); });
    }
    const Deferred next = std::move(deferred_.front());
    deferred_.pop_front();
    --unanswered_;
    run_command(*next.command, next.id, next.message);
  }
}

void Connection::count_denied(std::string_view type) {
  if (audit::Log* const log = sockets_.parts().audit) log->count(denied_entry(*caller_, type), client());
}

void Connection::run_command(const Command& command, std::int64_t id, const json::object& message) {
  running_ = command.type;
  const CommandCall call{home_, gate_, settings_, *this, sockets_.parts(), id, message, caller_};
  bool replies = std::holds_alternative<AsyncCommandHandler>(command.handler);
  try {
    if (command.elsewhere) {
      if (const std::string hub = hub_elsewhere(call, *command.elsewhere); !hub.empty()) {
        replies = true;
        ++unanswered_;
        return ask_elsewhere(call, *command.elsewhere, hub, CommandReply(*this, id, Durable::no));
      }
    }
    if (const auto* constant = std::get_if<std::string_view>(&command.handler)) {
      MessageReader in(message);
      if (auto read = in.finish(); !read) return send_result(id, std::unexpected(read.error()));
      send_result(id, std::string(*constant));
    } else if (const auto* handler = std::get_if<CommandHandler>(&command.handler)) {
      CommandResult result = (*handler)(call);
      if (!result || !call.parts.waits(command.durable)) return send_result(id, result);
      ++unanswered_;
      CommandReply(*this, id, command.durable).send(std::move(result));
    } else if (const auto* plain = std::get_if<MessageHandler>(&command.handler)) {
      send((*plain)(call));
    } else {
      ++unanswered_;
      std::get<AsyncCommandHandler>(command.handler)(call, CommandReply(*this, id, command.durable));
    }
  } catch (const std::exception& failure) {
    base::log_error("websocket", "{} failed: {}", command.type, failure.what());
    // A reply, dropped on the way here, has answered.
    if (!replies) {
      send_result(id, std::unexpected(CommandError(command_error::kUnknownError, "Unknown error.")));
    }
  }
}

void Connection::answer(std::int64_t id, const CommandResult& result) {
  --unanswered_;
  running_ = {};  // another one
  send_result(id, result);
}

void Connection::answer(std::int64_t id, http::BodySource result) {
  --unanswered_;
  if (phase_ != Phase::ready) return;
  send(fmt::format(R"({{"id":{},"type":"result","success":true,"result":)", id), std::move(result));
}

void Connection::send_result(std::int64_t id, const CommandResult& result) {
  if (phase_ != Phase::ready) return;
  if (!result && result.error().code == command_error::kUnauthorized) count_denied(running_);
  if (!result) return send(error_text(id, result.error()));
  send(fmt::format(R"({{"id":{},"type":"result","success":true,"result":{}}})", id, *result));
}

void Connection::send_event(std::int64_t id, std::string_view event_json) {
  if (socket_->send(event_message(id, event_json)) && !receiving_) socket_->flush();
}

void Connection::send_event(std::int64_t id, http::BodySource event_json) {
  send(fmt::format(R"({{"id":{},"type":"event","event":)", id), std::move(event_json));
}

base::Result<void> Connection::may_subscribe(std::size_t filter_bytes) const {
  if (caller_->usage->full(auth::Use::subscription, gate_.use_limits)) {
    return base::fail(base::ErrorCode::throttled,
                      "This token or user has too many subscriptions (token_subscriptions).");
  }
  const core::Limits& limits = home_.limits();
  if (subscriptions_.size() >= limits.subscriptions) {
    return base::fail(
        base::ErrorCode::unavailable,
        fmt::format("A connection may have {} subscriptions (limit: subscriptions).", limits.subscriptions));
  }
  if (filter_bytes_ + filter_bytes <= limits.filters_bytes) return {};
  return base::fail(base::ErrorCode::unavailable,
                    fmt::format("The filters of a connection's subscriptions may take {} (limit: filters_size).",
                                core::bytes_text(limits.filters_bytes)));
}

void Connection::subscribe(std::int64_t id, std::unique_ptr<LiveSubscription> subscription, std::size_t filter_bytes) {
  subscriptions_.emplace(id,
                         Subscribed{std::move(subscription), filter_bytes, {caller_->usage, auth::Use::subscription}});
  filter_bytes_ += filter_bytes;
}

bool Connection::unsubscribe(std::int64_t id) {
  const auto found = subscriptions_.find(id);
  if (found == subscriptions_.end()) return false;
  filter_bytes_ -= found->second.filter_bytes;
  subscriptions_.erase(found);
  return true;
}

void Connection::deliver(std::shared_ptr<LiveBatch> batch) {
  batch_bytes_ += batch->weight();
  batches_.push_back(std::move(batch));
  if (batches_.size() == 1) return deliver_rest();
  if (batches_.size() <= kMaxBatches && batch_bytes_ <= worker().options().limits.stream_bytes) return;
  base::log_warning("websocket",
                    "cutting a WebSocket of {}: its {} subscriptions take longer than what they are to get",
                    client().to_string(), subscriptions_.size());
  cut();
}

void Connection::deliver_rest() {
  const auto until = std::chrono::steady_clock::now() + kTurnTime;
  while (!batches_.empty() && !socket_->over()) {
    const auto next = subscriptions_.upper_bound(delivered_);
    if (next == subscriptions_.end()) {
      batch_bytes_ -= batches_.front()->weight();
      batches_.pop_front();
      delivered_ = 0;
      continue;
    }
    if (delivered_ > 0 && std::chrono::steady_clock::now() >= until) {
      socket_->flush();
      return sockets_.deliver_later(*this);
    }
    delivered_ = next->first;
    next->second.subscription->deliver(*batches_.front(), *socket_);
  }
  if (socket_->over()) return batches_.clear();
  socket_->flush();
}

void Connection::deliver(const UserDataChange& change) {
  if (phase_ != Phase::ready || caller_->user->id != change.user_id) return;
  for (const auto& [id, subscribed] : subscriptions_) subscribed.subscription->deliver(change, *socket_);
  socket_->flush();
}

void Connection::check_caller() {
  if (phase_ != Phase::ready || gate_.authenticator.still_valid(*caller_)) return;
  end(kPolicyViolation, "The access token is no longer valid.");
}

// An object whose last value is made piece by piece.
void Connection::send(std::string before, http::BodySource pieces) {
  const bool sent = socket_->send([before = std::move(before), pieces = std::move(pieces)](std::string& out) mutable {
    out += std::exchange(before, {});
    if (pieces(out)) return true;
    out += '}';
    return false;
  });
  if (sent && !receiving_) socket_->flush();
}

void Connection::send(std::string_view text) {
  if (!socket_->send(std::make_shared<const http::Message>(text))) return;
  if (!receiving_) socket_->flush();
}

void Connection::end(std::uint16_t code, std::string_view reason) {
  phase_ = Phase::over;
  use_ = {};
  subscriptions_.clear();
  batches_.clear();
  deferred_.clear();
  socket_->close(code, reason);
}

}  // namespace hearth::api
