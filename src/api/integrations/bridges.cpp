// SPDX-License-Identifier: Apache-2.0
// Other hubs that are mirrored here: how their connections do, what comes of them and why the rest does not, and what
// administrators may do with them. docs/bridge.md.
#include <utility>

#include "api/gateway/json_body.h"
#include "api/integrations/connections.h"
#include "api/parts.h"
#include "api/rows.h"
#include "base/json/json_fields.h"

namespace hearth::api {
namespace {

constexpr std::string_view kBridge = "home_assistant";
constexpr std::size_t kInstanceSegment = 3;  // of /api/home_assistant/test/{instance}

using Shape = json::object (*)(json::array answers);

void ask(const Call& call, http::Responder responder, std::string name, std::string what, json::object with,
         Shape shape) {
  Connections* const connections = call.parts.connections;
  if (!connections)
    return responder.send(http::Response::error({base::ErrorCode::unavailable, "This hub has no connections."}));
  const auto shared = std::make_shared<http::Responder>(std::move(responder));
  connections->ask(std::string(kBridge), std::move(name), std::move(what), std::move(with), call.context(),
                   [shared, shape](base::Result<json::object> answer) {
                     if (!answer) return shared->send(http::Response::error(answer.error()));
                     json::array& answers = answer->at("answers").get_array();
                     shared->send(http::Response::json(base::to_json(shape(std::move(answers)))));
                   });
}

json::object as_instances(json::array answers) {
  return {{"instances", std::move(answers)}};
}

// The entities of all, each with its instance.
json::object as_entities(json::array answers) {
  json::array all;
  for (json::value& answer : answers) {
    json::value* const entities = answer.get_object().if_contains("entities");
    if (!entities || !entities->is_array()) continue;
    for (json::value& entity : entities->get_array()) {
      json::object one{{"instance", answer.at("name")}};
      for (auto& member : entity.get_object()) one[member.key()] = std::move(member.value());
      all.push_back(std::move(one));
    }
  }
  return {{"entities", std::move(all)}};
}

json::object as_only_one(json::array answers) {
  return std::move(answers.at(0).get_object());
}

std::string instance_of(const Call& call) {
  return std::string(call.path(kInstanceSegment));
}

void list_bridges(const Call& call, http::Responder responder) {
  ask(call, std::move(responder), "", "status", {}, as_instances);
}

// Fails with invalid, not_found.
void list_bridge_entities(const Call& call, http::Responder responder) {
  json::object with;
  if (const auto why = call.request.target.query("why")) with["why"] = *why;
  ask(call, std::move(responder), std::string(call.request.target.query("instance").value_or("")), "entities",
      std::move(with), as_entities);
}

// Each fails with not_found, unavailable.
void list_differences(const Call& call, http::Responder responder) {
  ask(call, std::move(responder), instance_of(call), "differences", {}, as_only_one);
}

void list_double_automations(const Call& call, http::Responder responder) {
  ask(call, std::move(responder), instance_of(call), "automations", {}, as_only_one);
}

void test_bridge(const Call& call, http::Responder responder) {
  ask(call, std::move(responder), instance_of(call), "test", {}, as_only_one);
}

// Each fails with invalid, not_found, unavailable, unreachable.
void take_names(const Call& call, http::Responder responder) {
  auto body = call.request.body.empty() ? base::Result<json::object>() : parse_json_body(call.request.body);
  if (!body) return responder.send(http::Response::error(body.error()));
  ask(call, std::move(responder), instance_of(call), "take_names", std::move(*body), as_only_one);
}

void switch_automation(const Call& call, http::Responder responder) {
  auto body = parse_json_body(call.request.body);
  if (!body) return responder.send(http::Response::error(body.error()));
  for (const char* const key : {"id", "on"})
    if (auto text = text_field(*body, key); !text) return responder.send(http::Response::error(text.error()));
  ask(call, std::move(responder), instance_of(call), "switch_automation", std::move(*body), as_only_one);
}

constexpr Answer kBridges[] = {{200, "One for each connection, in their order.", "Bridges"}};
constexpr Answer kBridgeEntities[] = {{200, "The entities there, and what becomes of each.", "BridgeEntities"}};
constexpr Answer kDifferences[] = {{200, "What people chose there and is another here.", "Document"}};
constexpr Answer kTaken[] = {{200, "How many were changed.", "Document"}};
constexpr Answer kTested[] = {{200, "The hub there: its version, its entities, and whose the token is.", "Document"}};
constexpr Answer kDoubles[] = {{200, "Automations that both hubs have, and where each is on.", "Document"}};
constexpr Body kTakeNames{"BridgeIds"}, kSwitch{"BridgeSwitch", true};
constexpr Parameter kBridgeEntityParameters[] = {
    {"why", "Only those of this fate, such as shadowed.", R"({"$ref": "#/components/schemas/Line"})"},
    {"instance", "Only those of this connection.", R"({"$ref": "#/components/schemas/Line"})"}};

}  // namespace

constexpr Endpoint kBridgeEndpointRows[] = {
    {http::Verb::get, "/api/home_assistant", Access::admin, list_bridges, Durable::no,
     "Other hubs that are mirrored here", kBridges},
    {http::Verb::get, "/api/home_assistant/entities", Access::admin, list_bridge_entities, Durable::no,
     "Entities of mirrored hubs, and why some do not come", kBridgeEntities, kBridgeEntityParameters},
    {http::Verb::get, "/api/home_assistant/differences/{instance}", Access::admin, list_differences, Durable::no,
     "Names and areas that differ from those of a mirrored hub", kDifferences},
    {http::Verb::post,
     "/api/home_assistant/take_names/{instance}",
     Access::admin,
     take_names,
     Durable::registry,
     "Take names and areas of a mirrored hub again",
     kTaken,
     {},
     &kTakeNames},
    {http::Verb::get, "/api/home_assistant/automations/{instance}", Access::admin, list_double_automations, Durable::no,
     "Automations that a mirrored hub has, too", kDoubles},
    {http::Verb::post,
     "/api/home_assistant/automations/{instance}",
     Access::admin,
     switch_automation,
     Durable::no,
     "Switch an automation off in one hub and on in the other",
     kDoubles,
     {},
     &kSwitch},
    {http::Verb::post, "/api/home_assistant/test/{instance}", Access::admin, test_bridge, Durable::no,
     "Try the address and token of a mirrored hub", kTested},
};
constexpr Endpoints kBridgeEndpoints = kBridgeEndpointRows;

}  // namespace hearth::api
