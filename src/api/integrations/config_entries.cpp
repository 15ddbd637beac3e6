// SPDX-License-Identifier: Apache-2.0
// config_entries/get and its like: the connections of the integrations, as config entries.
#include <fmt/format.h>

#include <algorithm>

#include "api/frontend/names.h"
#include "api/gateway/connection.h"
#include "api/gateway/live_batch.h"
#include "api/gateway/message_reader.h"
#include "api/gateway/socket_hub.h"
#include "api/integrations/config_entry.h"
#include "api/integrations/connections.h"
#include "api/rows.h"
#include "base/json/json_fields.h"
#include "base/text/utf8.h"

namespace hearth::api {
namespace {

// Which entries a client wants.
struct Wanted {
  std::optional<std::vector<std::string>> types;  // of integrations: ours are all of the type hub
  std::optional<std::string> domain;

  bool operator()(const core::IntegrationStatus& status) const {
    if (domain && status.name != *domain) return false;
    return !types || std::ranges::any_of(*types, [](const std::string& type) {
      return type == "hub" || type == "device" || type == "service";
    });
  }
};

json::array entries(const core::View& home, const Parts& parts, const Wanted& wanted) {
  json::array list;
  const std::string language = home.config()->language;
  const auto add = [&](const core::IntegrationStatus& status) {
    list.push_back(
        config_entry(status, parts.names ? parts.names->domain_name(language, status.name) : std::string(status.name)));
  };
  for (const core::IntegrationStatus& status : home.integrations())
    if (wanted(status)) add(status);
  if (!parts.connections) return list;
  const auto ignored = parts.connections->ignored();
  for (const core::IntegrationStatus& status : *ignored) {
    if (!wanted(status)) continue;
    add(status);
    list.back().get_object()["source"] = "ignore";
  }
  return list;
}

// [{"type":…,"entry":{…}}]; the type is null for those that are there at the beginning.
std::string changes(json::array list, json::value type) {
  json::array changed;
  for (json::value& entry : list) changed.push_back(json::object{{"type", type}, {"entry", std::move(entry)}});
  return base::to_json(changed);
}

class EntrySubscription final : public LiveSubscription {
 public:
  using LiveSubscription::deliver;
  EntrySubscription(const CommandCall& call, Wanted wanted, SocketHub::Listener listener)
      : id_(call.id),
        home_(call.home),
        parts_(call.connection.sockets().parts()),
        wanted_(std::move(wanted)),
        listener_(std::move(listener)) {}

  void deliver(LiveBatch& batch, http::WebSocket& socket) override {
    const bool news = std::ranges::any_of(batch.events(), [this](const core::EventPtr& event) {
      return event->sequence > listener_.start() && !event->by_client &&
             event->type == core::event_type::kIntegrationUpdated;
    });
    if (news) socket.send(event_message(id_, changes(entries(home_, parts_, wanted_), "updated")));
  }

 private:
  const std::int64_t id_;
  const core::View home_;
  const Parts& parts_;
  const Wanted wanted_;
  const SocketHub::Listener listener_;
};

base::Result<http::Response> list_config_entries(const Call& call) {
  return http::Response::json(base::to_json(entries(call.home, call.parts, {})));
}

CommandResult get_config_entries(const CommandCall& call) {
  Wanted wanted;
  MessageReader in(call.message);
  in.optional("type_filter", wanted.types);
  in.optional("domain", wanted.domain);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  return base::to_json(entries(call.home, call.parts, wanted));
}

// Fails with not_found.
CommandResult get_config_entry(const CommandCall& call) {
  std::string id;
  MessageReader in(call.message);
  in.required("entry_id", id);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  const json::array all = entries(call.home, call.parts, {});
  const auto found = std::ranges::find_if(
      all, [&](const json::value& entry) { return base::text_at(entry.get_object(), "entry_id") == id; });
  if (found != all.end()) return base::to_json(json::object{{"config_entry", *found}});
  return std::unexpected(
      CommandError(command_error::kNotFound, fmt::format("There is no config entry {}.", base::utf8_excerpt(id))));
}

void subscribe_config_entries(const CommandCall& call, CommandReply reply) {
  Wanted wanted;
  MessageReader in(call.message);
  in.optional("type_filter", wanted.types);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  if (auto room = call.connection.may_subscribe(); !room) return reply.send(std::unexpected(room.error()));
  core::EventFilter filter;
  filter.types.emplace(core::event_type::kIntegrationUpdated);
  auto listener = call.connection.sockets().listen(std::move(filter), call.connection.worker());
  reply.send("null");
  call.connection.send_event(call.id, changes(entries(call.home, call.parts, wanted), nullptr));
  call.connection.subscribe(call.id, std::make_unique<EntrySubscription>(call, std::move(wanted), std::move(listener)));
}

constexpr Answer kConfigEntries[] = {
    {200,
     "One for each connection: those of configuration.yaml in its order, then the others by age, then what is ignored.",
     "ConfigEntries"}};

}  // namespace

constexpr Endpoint kConfigEntryEndpointRows[] = {
    {http::Verb::get, "/api/config/config_entries/entry", Access::user, list_config_entries, Durable::no,
     "The integrations, as config entries", kConfigEntries},
};
constexpr Endpoints kConfigEntryEndpoints = kConfigEntryEndpointRows;

constexpr Command kConfigEntryCommandRows[] = {
    {"config_entries/get", Access::user, get_config_entries, Durable::no},
    {"config_entries/get_single", Access::user, get_config_entry, Durable::no},
    {"config_entries/subscribe", Access::user, subscribe_config_entries, Durable::no},
};
constexpr Commands kConfigEntryCommands = kConfigEntryCommandRows;

}  // namespace hearth::api
