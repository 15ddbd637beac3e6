// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "api/gateway/connection.h"
#include "api/gateway/message_reader.h"
#include "api/gateway/socket_hub.h"
#include "api/rows.h"
#include "api/templates/live_template.h"

namespace hearth::api {
namespace {

using hearth::templates::Failure, hearth::templates::Template, hearth::templates::Value;
namespace type = core::event_type;

struct Message {
  std::string source;
  json::object variables;
  std::vector<std::string> entity_ids;
  std::optional<std::string> timeout;  // seconds
  bool strict = false;
  bool report_errors = false;
};

base::Result<Message> read_message(const json::object& message) {
  Message read;
  MessageReader in(message);
  in.required("template", read.source);
  in.optional("variables", read.variables);
  in.optional("entity_ids", read.entity_ids);
  in.optional_number("timeout", read.timeout);
  in.optional("strict", read.strict);
  in.optional("report_errors", read.report_errors);
  if (auto finished = in.finish(); !finished) return std::unexpected(finished.error());
  if (read.source.size() > LiveTemplate::kMostBytes) {
    return base::fail(base::ErrorCode::invalid,
                      fmt::format("template: may have at most {} bytes.", LiveTemplate::kMostBytes));
  }
  return read;
}

// Fails with template_error, too_many_requests.
void render_template(const CommandCall& call, CommandReply reply) {
  auto message = read_message(call.message);
  if (!message) return reply.send(std::unexpected(message.error()));
  const auto wait = call.caller->usage->template_wait(call.gate.use_limits, call.gate.clock());
  if (wait.count() > 0) {
    return reply.send(std::unexpected(
        CommandError(command_error::kTooManyRequests,
                     fmt::format("The templates of this token or user take too long (template_time). Try again in {} "
                                 "seconds.",
                                 wait.count()))));
  }
  const std::size_t weight = 4 * message->source.size() + base::to_json(message->variables).size();
  if (auto room = call.connection.may_subscribe(weight); !room) return reply.send(std::unexpected(room.error()));
  hearth::templates::Limits limits = LiveTemplate::kLimits;
  if (message->timeout) {
    const double milliseconds = std::strtod(message->timeout->c_str(), nullptr) * 1000;
    if (!(milliseconds > 0)) {
      return reply.send(
          std::unexpected(CommandError(command_error::kInvalidFormat, "timeout: expected seconds above 0.")));
    }
    limits.milliseconds = std::max(1, static_cast<int>(std::min<double>(milliseconds, limits.milliseconds)));
  }
  auto compiled = Template::compile(message->source, limits);
  if (!compiled) return reply.send(std::unexpected(template_error(compiled.error())));
  LiveTemplate::Order order{.compiled = std::move(*compiled),
                            .variables = {},
                            .limits = limits,
                            .entity_ids = std::move(message->entity_ids),
                            .strict = message->strict,
                            .report_errors = message->report_errors};
  for (auto& [name, value] : message->variables) order.variables.emplace_back(name, Value::from_json(std::move(value)));

  // Listening begins before the first rendering, so that no change is missed.
  auto listener = call.connection.sockets().listen(
      {{std::string(type::kStateChanged), std::string(type::kCoreConfigUpdated),
        std::string(type::kEntityRegistryUpdated), std::string(type::kDeviceRegistryUpdated),
        std::string(type::kAreaRegistryUpdated), std::string(type::kFloorRegistryUpdated),
        std::string(type::kLabelRegistryUpdated), std::string(type::kCollectionUpdated)}},
      call.connection.worker());
  auto live =
      std::make_unique<LiveTemplate>(call.id, call.home, call.connection, std::move(order), std::move(listener));
  LiveTemplate& subscribed = *live;
  call.connection.subscribe(call.id, std::move(live), weight);
  subscribed.begin(std::move(reply));
}

}  // namespace

constexpr Command kTemplateCommandRows[] = {
    {"render_template", Access::templates, render_template, Durable::no},
};
constexpr Commands kTemplateCommands = kTemplateCommandRows;

}  // namespace hearth::api
