// SPDX-License-Identifier: Apache-2.0
#include "api/elsewhere/forward.h"

#include "api/elsewhere/refusal.h"
#include "api/gateway/bus_feed.h"
#include "api/gateway/connection.h"
#include "core/services/other_hub.h"
#include "core/values/entity_id.h"

namespace hearth::api {
namespace {

// media-source://camera/camera.drive names an entity; most others name none.
std::string entity_of(const CommandCall& call, const Elsewhere& elsewhere) {
  const json::value* const given = call.message.if_contains(elsewhere.key);
  if (!given || !given->is_string()) return {};
  const std::string_view text = given->get_string();
  const auto id = core::EntityId::parse(text.substr(text.rfind('/') + 1));
  return id ? std::string(id->str()) : std::string();
}

json::object command_of(const CommandCall& call, const Elsewhere& elsewhere, const std::string& entity_id) {
  json::object command = call.message;
  command.stable_erase("id");
  if (elsewhere.key == "entity_id") command["entity_id"] = entity_id;
  return command;
}

CommandResult result_of(const base::Result<json::value>& answer) {
  if (!answer) return std::unexpected(answer.error());
  return base::to_json(*answer);
}

void subscribe_elsewhere(const CommandCall& call, const std::string& hub, json::object command, std::size_t weight,
                         CommandReply reply) {
  if (auto room = call.connection.may_subscribe(weight); !room) return reply.send(std::unexpected(room.error()));
  BusFeed::begin_later(call, std::move(reply), weight,
                       [home = call.home, hub, command = std::move(command)](
                           const BusFeed::Put& put, const BusFeed::Begun& begun) -> std::shared_ptr<void> {
                         core::OtherHub* const there = home.other_hubs().find(hub);
                         if (!there) return begun(std::unexpected(gone(hub))), nullptr;
                         return std::make_shared<base::Handle>(there->subscribe(
                             command, [begun](const base::Result<json::value>& answer) { begun(result_of(answer)); },
                             [put](const json::value& event) { put(base::to_json(event)); }));
                       });
}

}  // namespace

std::string hub_elsewhere(const CommandCall& call, const Elsewhere& elsewhere) {
  const std::string id = entity_of(call, elsewhere);
  return id.empty() ? id : call.home.elsewhere(id);
}

void ask_elsewhere(const CommandCall& call, const Elsewhere& elsewhere, const std::string& hub, CommandReply reply) {
  const std::string id = entity_of(call, elsewhere);
  if (elsewhere.controls) {
    if (auto may = call.home.may_control(id); !may) return reply.send(std::unexpected(may.error()));
  }
  json::object command = command_of(call, elsewhere, id);
  const std::size_t weight = base::to_json(command).size();
  if (elsewhere.subscribes) return subscribe_elsewhere(call, hub, std::move(command), weight, std::move(reply));
  const auto shared = std::make_shared<CommandReply>(std::move(reply));
  const auto posted = call.home.ask_elsewhere(
      hub, weight, [shared, hub, controls = elsewhere.controls, command = std::move(command)](core::OtherHub* there) {
        if (!there) return shared->send(std::unexpected(gone(hub)));
        there->ask(command, controls,
                   [shared](const base::Result<json::value>& answer) { shared->send(result_of(answer)); });
      });
  if (!posted) shared->send(std::unexpected(posted.error()));
}

}  // namespace hearth::api
