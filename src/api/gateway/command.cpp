// SPDX-License-Identifier: Apache-2.0
#include "api/gateway/command.h"

#include <boost/asio/post.hpp>

#include "api/gateway/connection.h"
#include "api/gateway/socket_hub.h"
#include "http/worker.h"

namespace hearth::api {
namespace {

std::string_view code_of(base::ErrorCode code) {
  switch (code) {
    case base::ErrorCode::invalid:
    case base::ErrorCode::unsupported:
      return command_error::kInvalidFormat;
    case base::ErrorCode::pin_needed:
    case base::ErrorCode::pin_wrong:
      return command_error::kServiceValidationError;
    case base::ErrorCode::unauthorized:
    case base::ErrorCode::forbidden:
      return command_error::kUnauthorized;
    case base::ErrorCode::not_found:
      return command_error::kNotFound;
    case base::ErrorCode::throttled:
      return command_error::kTooManyRequests;
    case base::ErrorCode::conflict:
    case base::ErrorCode::full:
    case base::ErrorCode::unreachable:
    case base::ErrorCode::failed_elsewhere:
    case base::ErrorCode::unavailable:
      return command_error::kHomeAssistantError;
    case base::ErrorCode::internal:
      return command_error::kUnknownError;
  }
  return command_error::kUnknownError;
}

}  // namespace

CommandError::CommandError(const base::Error& error)
    : code(error.said ? std::string_view(error.said->code) : code_of(error.code)),
      message(error.message),
      said(error.said) {
  if (error.code == base::ErrorCode::pin_needed) key = "pin_needed";
  if (error.code == base::ErrorCode::pin_wrong) key = "pin_wrong";
}

json::object to_json_object(const CommandError& error) {
  json::object made{{"code", error.code}, {"message", error.message}};
  if (!error.key.empty()) {
    made["translation_domain"] = "hearth";
    made["translation_key"] = error.key;
  } else if (error.said && !error.said->key.empty()) {
    made["translation_domain"] = error.said->domain;
    made["translation_key"] = error.said->key;
    json::object placeholders;
    for (const auto& [name, value] : error.said->placeholders) placeholders[name] = value;
    made["translation_placeholders"] = std::move(placeholders);
  }
  return made;
}

core::Context CommandCall::context() const {
  return core::Context::create(home.clock().coarse_now(), caller->user->id);
}

CommandReply::CommandReply(Connection& connection, std::int64_t id, Durable durable)
    : sockets_(&connection.sockets()),
      io_(connection.worker().weak_io()),
      worker_(connection.worker().index()),
      session_(connection.session()),
      id_(id),
      durable_(durable) {}

CommandReply::CommandReply(CommandReply&& other) noexcept
    : sockets_(std::exchange(other.sockets_, nullptr)),
      io_(std::move(other.io_)),
      worker_(other.worker_),
      session_(other.session_),
      id_(other.id_),
      durable_(other.durable_) {}

CommandReply::~CommandReply() {
  if (sockets_) send(std::unexpected(CommandError(command_error::kUnknownError, "Unknown error.")));
}

void CommandReply::send(CommandResult result, std::function<void(Connection&)> then) {
  const auto alive = io_.lock();  // and with it the hub of sockets
  if (!alive || !result || !sockets_->parts().waits(durable_)) return deliver(std::move(result), std::move(then));
  struct Waiting {
    CommandReply reply;
    CommandResult result;
    std::function<void(Connection&)> then;
  };
  const Parts parts = sockets_->parts();
  const std::size_t weight = result->size();
  auto waiting = std::make_shared<Waiting>(Waiting{std::move(*this), std::move(result), std::move(then)});
  parts.when_saved(
      std::exchange(waiting->reply.durable_, Durable::no), weight, [waiting](const base::Result<void>& saved) {
        waiting->reply.deliver(saved ? std::move(waiting->result) : CommandResult(std::unexpected(saved.error())),
                               std::move(waiting->then));
      });
}

void CommandReply::deliver(CommandResult result, std::function<void(Connection&)> then) {
  SocketHub* const sockets = std::exchange(sockets_, nullptr);
  const auto io = io_.lock();
  if (!io) return;
  const auto answer = [sockets, worker = worker_, session = session_, id = id_,
                       then = std::move(then)](const CommandResult& said) {
    Connection* const connection = sockets->find(worker, session);
    if (!connection) return;
    connection->answer(id, said);
    if (then) then(*connection);
  };
  if (io->get_executor().running_in_this_thread()) return answer(result);
  boost::asio::post(*io, [answer, result = std::move(result)] { answer(result); });
}

void CommandReply::send(http::BodySource result) {
  SocketHub* const sockets = std::exchange(sockets_, nullptr);
  if (Connection* const connection = sockets->find(worker_, session_)) connection->answer(id_, std::move(result));
}

}  // namespace hearth::api
