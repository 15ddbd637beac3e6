// SPDX-License-Identifier: Apache-2.0
// A row of the table of WebSocket commands, and the arguments and the result of its handler.
#pragma once

#include <boost/asio/io_context.hpp>
#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "api/endpoint.h"
#include "auth/accounts/gate.h"
#include "auth/identity.h"
#include "base/json/json.h"
#include "base/result.h"
#include "core/view.h"

namespace hearth::api {

class Connection;
class HomeSettings;
struct Parts;
class SocketHub;

namespace command_error {
constexpr std::string_view kInvalidFormat = "invalid_format";
constexpr std::string_view kInvalidInfo = "invalid_info";
constexpr std::string_view kIdReuse = "id_reuse";
constexpr std::string_view kUnauthorized = "unauthorized";
constexpr std::string_view kNotFound = "not_found";
constexpr std::string_view kNotSupported = "not_supported";
constexpr std::string_view kUnknownCommand = "unknown_command";
constexpr std::string_view kUnknownError = "unknown_error";
constexpr std::string_view kHomeAssistantError = "home_assistant_error";
constexpr std::string_view kServiceValidationError = "service_validation_error";
constexpr std::string_view kTemplateError = "template_error";
constexpr std::string_view kTooManyRequests = "too_many_requests";
}  // namespace command_error

struct CommandError {
  std::string code;
  std::string message;   // for the client
  std::string key = {};  // names the failure for programs: `translation_key`; empty: its code says all
  std::shared_ptr<const base::SaidElsewhere> said = nullptr;  // instead, if another home has said it

  CommandError(std::string_view error_code, std::string text) : code(error_code), message(std::move(text)) {}
  // The one place where an error finds its code.
  CommandError(const base::Error& error);
};
// {code, message}, and translation_key with its translation_domain and placeholders if there is one.
json::object to_json_object(const CommandError& error);

// The text of a JSON value, or what went wrong.
using CommandResult = std::expected<std::string, CommandError>;

// The right and duty to answer one command. Dropped without an answer it answers unknown_error. May outlive the
// connection and the hub. Move-only.
class CommandReply {
 public:
  CommandReply(Connection& connection, std::int64_t id, Durable durable);
  CommandReply(CommandReply&& other) noexcept;
  CommandReply& operator=(CommandReply&&) = delete;
  ~CommandReply();

  // Any thread; once. On the connection's own it is sent before the call returns, except a result that waits for the
  // disk (the command's Durable). No effect if the client has gone. `then` runs right after it, on the connection's
  // thread: for what a subscription begins with.
  void send(CommandResult result, std::function<void(Connection&)> then = {});
  // A result that is made piece by piece, as the client takes it. The connection's thread only; once.
  void send(http::BodySource result);

 private:
  void deliver(CommandResult result, std::function<void(Connection&)> then);

  SocketHub* sockets_;                         // null once answered
  std::weak_ptr<boost::asio::io_context> io_;  // the worker's, which is gone with it, and the hub of sockets after it
  std::size_t worker_;
  std::uint64_t session_;
  std::int64_t id_;
  Durable durable_;
};

struct CommandCall {
  const core::View& home;  // as the caller may see and change it
  auth::Gate& gate;
  HomeSettings& settings;
  Connection& connection;
  const Parts& parts;
  std::int64_t id;
  const json::object& message;
  auth::IdentityPtr caller;

  // A fresh context with the caller as its user.
  core::Context context() const;
};

// Worker thread. Answers at once …
using CommandHandler = CommandResult (*)(const CommandCall&);
// … or whenever it can; `call` is valid until it returns.
using AsyncCommandHandler = void (*)(const CommandCall&, CommandReply);
// … or with a whole message that is no result.
using MessageHandler = std::string (*)(const CommandCall&);

// How a command goes to the hub elsewhere that has the entity which it names.
struct Elsewhere {
  std::string_view key = "entity_id";  // of the entity; `media_content_id` may name one, too
  bool controls = false;               // who may not control the entity is refused
  bool subscribes = false;             // events follow its result
};
inline constexpr Elsewhere kAsksElsewhere, kControlsElsewhere{.controls = true},
    kSubscribesElsewhere{.subscribes = true};

struct Command {
  std::string_view type;
  Access access;  // none that is open; without it the answer is `unauthorized`
  // A text is the result of a command that always answers the same, and has no keys.
  std::variant<CommandHandler, AsyncCommandHandler, MessageHandler, std::string_view> handler;
  Durable durable;
  const Elsewhere* elsewhere = nullptr;  // null: it is always answered here
};

// All of them (commands.cpp).
const std::map<std::string_view, const Command*>& commands_by_type();
// Null if there is none of that type.
const Command* find_command(std::string_view type);

}  // namespace hearth::api
