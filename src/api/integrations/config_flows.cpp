// SPDX-License-Identifier: Apache-2.0
// The flows that make connections, and what changes and ends one: for administrators.
#include <fmt/format.h>

#include <algorithm>

#include "api/frontend/names.h"
#include "api/gateway/connection.h"
#include "api/gateway/json_body.h"
#include "api/gateway/live_batch.h"
#include "api/gateway/message_reader.h"
#include "api/gateway/socket_hub.h"
#include "api/integrations/config_entry.h"
#include "api/integrations/connections.h"
#include "api/parts.h"
#include "api/rows.h"

namespace hearth::api {
namespace {

constexpr std::size_t kEntrySegment = 4;  // of /api/config/config_entries/entry/{entry_id}, and of flows

// Gives the new entry in a flow's answer the name of its integration.
void with_title(json::object& answer, const Names* names, std::string_view language) {
  json::value* const result = answer.if_contains("result");
  json::object& entry = result && result->is_object() ? result->get_object() : answer;
  const json::value* const title = entry.if_contains("title");
  const json::value* const domain = entry.if_contains("domain");
  if (!names || !title || !domain || *title != *domain) return;
  entry["title"] = names->domain_name(language, std::string_view(domain->get_string()));
  if (&entry != &answer) answer["title"] = entry["title"];
}

Connections::Done to(const Call& call, http::Responder responder, std::string_view wrapped = {}) {
  return [responder = std::make_shared<http::Responder>(std::move(responder)), names = call.parts.names,
          language = call.home.config()->language, wrapped](base::Result<json::object> answer) {
    if (!answer) return responder->send(http::Response::error(answer.error()));
    with_title(*answer, names, language);
    const json::object whole = wrapped.empty() ? std::move(*answer) : json::object{{wrapped, std::move(*answer)}};
    responder->send(http::Response::json(base::to_json(whole)));
  };
}

Connections::Done to(const CommandCall& call, CommandReply reply, std::string_view wrapped = {}) {
  return [reply = std::make_shared<CommandReply>(std::move(reply)), names = call.parts.names,
          language = call.home.config()->language, wrapped](base::Result<json::object> answer) {
    if (!answer) return reply->send(std::unexpected(CommandError(answer.error())));
    with_title(*answer, names, language);
    const json::object whole = wrapped.empty() ? std::move(*answer) : json::object{{wrapped, std::move(*answer)}};
    reply->send(base::to_json(whole));
  };
}

// Null, and it has answered, if this hub has none.
Connections* connections_of(const Call& call, http::Responder& responder) {
  if (!call.parts.connections)
    responder.send(http::Response::error({base::ErrorCode::unavailable, "This hub has no connections."}));
  return call.parts.connections;
}

Connections* connections_of(const CommandCall& call, CommandReply& reply) {
  if (!call.parts.connections)
    reply.send(std::unexpected(CommandError(command_error::kNotFound, "This hub has no connections.")));
  return call.parts.connections;
}

// Fails with invalid, not_found, unavailable.
void begin_flow(const Call& call, http::Responder responder) {
  const auto body = parse_json_body(call.request.body);
  if (!body) return responder.send(http::Response::error(body.error()));
  auto handler = text_field(*body, "handler");
  if (!handler) return responder.send(http::Response::error(handler.error()));
  std::optional<std::string> entry_id;
  if (const json::value* const given = body->if_contains("entry_id"); given && !given->is_null()) {
    auto text = text_field(*body, "entry_id");
    if (!text) return responder.send(http::Response::error(text.error()));
    entry_id = std::move(*text);
  }
  Connections* const connections = connections_of(call, responder);
  if (!connections) return;
  if (entry_id)
    connections->begin_change(std::move(*handler), std::move(*entry_id), to(call, std::move(responder)));
  else
    connections->begin_flow(std::move(*handler), to(call, std::move(responder)));
}

// Fails with invalid, not_found, conflict, unavailable.
void submit_flow(const Call& call, http::Responder responder) {
  auto body = parse_json_body(call.request.body);
  if (!body) return responder.send(http::Response::error(body.error()));
  if (Connections* const connections = connections_of(call, responder))
    connections->submit(std::string(call.path(kEntrySegment)), std::move(*body), to(call, std::move(responder)));
}

// Fails with not_found.
void show_flow(const Call& call, http::Responder responder) {
  if (Connections* const connections = connections_of(call, responder))
    connections->show_flow(std::string(call.path(kEntrySegment)), to(call, std::move(responder)));
}

// Fails with not_found.
void end_flow(const Call& call, http::Responder responder) {
  if (Connections* const connections = connections_of(call, responder))
    connections->end_flow(std::string(call.path(kEntrySegment)), to(call, std::move(responder)));
}

// Fails with not_found, with invalid for one of configuration.yaml, with unavailable.
void remove_entry(const Call& call, http::Responder responder) {
  if (Connections* const connections = connections_of(call, responder))
    connections->remove(std::string(call.path(kEntrySegment)), to(call, std::move(responder)));
}

// Fails with not_found, with invalid for one that is disabled.
void reload_entry(const Call& call, http::Responder responder) {
  if (Connections* const connections = connections_of(call, responder))
    connections->reload(std::string(call.path(kEntrySegment)), to(call, std::move(responder)));
}

// Fails with not_found.
void diagnose_entry(const Call& call, http::Responder responder) {
  if (Connections* const connections = connections_of(call, responder))
    connections->diagnose(std::string(call.path(3)), to(call, std::move(responder)));
}

base::Result<http::Response> list_flow_handlers(const Call& call) {
  json::array names;
  if (call.parts.connections) {
    for (std::string& name : call.parts.connections->handlers()) names.emplace_back(std::move(name));
  }
  return http::Response::json(base::to_json(names));
}

// Fails with not_found.
void disable_entry(const CommandCall& call, CommandReply reply) {
  std::string id;
  std::optional<std::string> by;
  MessageReader in(call.message);
  in.required("entry_id", id);
  in.optional("disabled_by", by);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  if (by && *by != "user")
    return reply.send(
        std::unexpected(CommandError(command_error::kInvalidFormat, "disabled_by: expected user or null")));
  Connections* const connections = connections_of(call, reply);
  if (!connections) return;
  const auto shared = std::make_shared<CommandReply>(std::move(reply));
  connections->disable(std::move(id), by.has_value(), [shared](const base::Result<json::object>& done) {
    if (!done) return shared->send(std::unexpected(CommandError(done.error())));
    shared->send(R"({"require_restart":false})");
  });
}

// Fails with not_found, with invalid for a title that is none.
void update_entry(const CommandCall& call, CommandReply reply) {
  std::string id, title;
  MessageReader in(call.message);
  in.required("entry_id", id);
  in.required("title", title);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  if (Connections* const connections = connections_of(call, reply))
    connections->rename(std::move(id), std::move(title), to(call, std::move(reply), "config_entry"));
}

// Fails with not_found.
void ignore_flow(const CommandCall& call, CommandReply reply) {
  std::string id, title;
  MessageReader in(call.message);
  in.required("flow_id", id);
  in.required("title", title);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  Connections* const connections = connections_of(call, reply);
  if (!connections) return;
  const auto shared = std::make_shared<CommandReply>(std::move(reply));
  connections->ignore_flow(std::move(id), std::move(title), [shared](const base::Result<json::object>& done) {
    if (!done) return shared->send(std::unexpected(CommandError(done.error())));
    shared->send("null");
  });
}

json::array flows_of(const Parts& parts) {
  return parts.connections ? *parts.connections->flows_in_progress() : json::array();
}

CommandResult list_flows(const CommandCall& call) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  return base::to_json(flows_of(call.parts));
}

// Sends the flows that have come or gone.
class FlowSubscription final : public LiveSubscription {
 public:
  using LiveSubscription::deliver;
  FlowSubscription(std::int64_t id, const Parts& parts, json::array known, SocketHub::Listener listener)
      : id_(id), parts_(parts), known_(std::move(known)), listener_(std::move(listener)) {}

  void deliver(LiveBatch& batch, http::WebSocket& socket) override {
    const bool news = std::ranges::any_of(batch.events(), [this](const core::EventPtr& event) {
      return event->sequence > listener_.start() && !event->by_client && event->type == core::event_type::kFlowUpdated;
    });
    if (!news) return;
    json::array now = flows_of(parts_), changed;
    for (const json::value& flow : now)
      if (!has(known_, flow)) changed.push_back(changed_flow("added", flow));
    for (const json::value& flow : known_)
      if (!has(now, flow)) changed.push_back(changed_flow("removed", flow));
    known_ = std::move(now);
    if (!changed.empty()) socket.send(event_message(id_, base::to_json(changed)));
  }

  static json::object changed_flow(json::value type, const json::value& flow) {
    return {{"type", std::move(type)}, {"flow_id", flow.at("flow_id")}, {"flow", flow}};
  }

 private:
  static bool has(const json::array& flows, const json::value& flow) {
    return std::ranges::any_of(flows,
                               [&](const json::value& each) { return each.at("flow_id") == flow.at("flow_id"); });
  }

  const std::int64_t id_;
  const Parts& parts_;
  json::array known_;
  const SocketHub::Listener listener_;
};

void subscribe_flows(const CommandCall& call, CommandReply reply) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  if (auto room = call.connection.may_subscribe(); !room) return reply.send(std::unexpected(room.error()));
  core::EventFilter filter;
  filter.types.emplace(core::event_type::kFlowUpdated);
  auto listener = call.connection.sockets().listen(std::move(filter), call.connection.worker());
  json::array known = flows_of(call.parts), shown;
  for (const json::value& flow : known) shown.push_back(FlowSubscription::changed_flow(nullptr, flow));
  reply.send("null");
  call.connection.send_event(call.id, base::to_json(shown));
  call.connection.subscribe(call.id, std::make_unique<FlowSubscription>(call.id, call.connection.sockets().parts(),
                                                                        std::move(known), std::move(listener)));
}

constexpr Answer kFlowSteps[] = {
    {200, "The present step: a form to fill in, the entry that was made, or why there is none.", "FlowStep"}};
constexpr Answer kEnded[] = {{200, "It has been ended.", "Empty"}};
constexpr Answer kRestart[] = {{200, "It is done; nothing has to be restarted.", "RequireRestart"}};
constexpr Answer kDiagnosis[] = {
    {200, "The entry, and what its integration knows of it; secrets are `**`.", "Document"}};
constexpr Body kFlowBegin{"FlowBegin", true}, kFlowFields{"Document", true};
constexpr Parameter kFlowHandlers[] = {
    {"type", "Only integrations of this type.", R"({"$ref": "#/components/schemas/Line"})", true}};

}  // namespace

constexpr Endpoint kConfigFlowEndpointRows[] = {
    {http::Verb::get, "/api/config/config_entries/flow_handlers", Access::user, list_flow_handlers, Durable::no,
     "The integrations that pages can set up", kNames, kFlowHandlers},
    {http::Verb::post,
     "/api/config/config_entries/flow",
     Access::admin,
     begin_flow,
     Durable::no,
     "Begin to add a connection, or to change one",
     kFlowSteps,
     {},
     &kFlowBegin},
    {http::Verb::post,
     "/api/config/config_entries/flow/{flow_id}",
     Access::admin,
     submit_flow,
     Durable::no,
     "Answer the form of a flow",
     kFlowSteps,
     {},
     &kFlowFields},
    {http::Verb::get, "/api/config/config_entries/flow/{flow_id}", Access::admin, show_flow, Durable::no,
     "The present step of a flow", kFlowSteps},
    {http::Verb::delete_, "/api/config/config_entries/flow/{flow_id}", Access::admin, end_flow, Durable::no,
     "Give up a flow", kEnded},
    {http::Verb::delete_, "/api/config/config_entries/entry/{entry_id}", Access::admin, remove_entry, Durable::registry,
     "Remove a connection, its devices and entities", kRestart},
    {http::Verb::post, "/api/config/config_entries/entry/{entry_id}/reload", Access::admin, reload_entry, Durable::no,
     "Stop a connection and start it again", kRestart},
    {http::Verb::get, "/api/diagnostics/config_entry/{entry_id}", Access::admin, diagnose_entry, Durable::no,
     "What helps to find a fault of a connection", kDiagnosis},
};
constexpr Endpoints kConfigFlowEndpoints = kConfigFlowEndpointRows;

constexpr Command kConfigFlowCommandRows[] = {
    {"config_entries/flow/progress", Access::admin, list_flows, Durable::no},
    {"config_entries/flow/subscribe", Access::admin, subscribe_flows, Durable::no},
    {"config_entries/disable", Access::admin, disable_entry, Durable::no},
    {"config_entries/update", Access::admin, update_entry, Durable::no},
    {"config_entries/ignore_flow", Access::admin, ignore_flow, Durable::no},
};
constexpr Commands kConfigFlowCommands = kConfigFlowCommandRows;

}  // namespace hearth::api
