// SPDX-License-Identifier: Apache-2.0
#include "api/rows.h"
#include "api/states/state_list.h"
#include "base/json/json_members.h"

namespace hearth::api {
namespace {

using base::ErrorCode;
using base::fail;

base::Error not_found() {
  return {ErrorCode::not_found, "Entity not found."};
}

// A state is a text; numbers keep their own, booleans become what templates print.
base::Result<std::string_view> state_value(const base::JsonMembers& body) {
  const auto state = body.find("state");
  if (!state || state->kind == json::kind::null) return fail(ErrorCode::invalid, "No state specified.");
  switch (state->kind) {
    case json::kind::bool_:
      return state->json == "true" ? "True" : "False";
    case json::kind::array:
    case json::kind::object:
      return fail(ErrorCode::invalid, "Invalid state specified: expected a text, a number or a boolean.");
    default:
      return state->text;
  }
}

base::Result<std::string_view> attributes_json(const base::JsonMembers& body) {
  const auto attributes = body.find("attributes");
  if (!attributes || attributes->kind == json::kind::null) return "{}";
  if (attributes->kind != json::kind::object) return fail(ErrorCode::invalid, "attributes: expected an object.");
  return attributes->json;
}

base::Result<bool> force_update(const base::JsonMembers& body) {
  const auto force = body.find("force_update");
  if (!force) return false;
  if (force->kind != json::kind::bool_) return fail(ErrorCode::invalid, "force_update: expected true or false.");
  return force->json == "true";
}

base::Result<http::Response> list_states(const Call& call) {
  return call.state_list.response(call.home, http::choose_encoding(call.request.headers.accept_encoding));
}

// Fails with not_found.
base::Result<http::Response> get_state(const Call& call) {
  core::StatePtr state = call.home.find(call.path(2));
  if (!state) state = call.home.find(core::lower_case(call.path(2)));
  if (!state) return std::unexpected(not_found());
  const std::string_view text = state->json();
  return http::Response::shared(std::move(state), text);
}

// Fails with invalid, forbidden.
base::Result<http::Response> post_state(const Call& call) {
  const auto body = base::JsonMembers::parse(call.request.body);
  if (!body) return fail(ErrorCode::invalid, "Invalid JSON specified: " + body.error().message + ".");
  if (body->kind() != json::kind::object) return fail(ErrorCode::invalid, "State data should be a JSON object.");

  const auto value = state_value(*body);
  if (!value) return std::unexpected(value.error());
  const auto attributes = attributes_json(*body);
  if (!attributes) return std::unexpected(attributes.error());
  const auto force = force_update(*body);
  if (!force) return std::unexpected(force.error());
  const auto id = core::EntityId::parse(call.path(2));
  if (!id) return std::unexpected(id.error());

  auto written = call.home.set(*id, {*value, *attributes, call.context(), *force});
  if (!written) return std::unexpected(written.error());
  const bool created = written->outcome == core::StateMachine::Outcome::created;
  const std::string_view text = written->state->json();
  auto response = http::Response::shared(std::move(written->state), text, created ? 201 : 200);
  if (created) response.with_header("Location", "/api/states/" + std::string(id->str()));
  return response;
}

// Fails with not_found, forbidden.
base::Result<http::Response> remove_state(const Call& call) {
  const std::string id = core::lower_case(call.path(2));
  if (auto removed = call.home.remove(id, call.context()); !removed) return std::unexpected(removed.error());
  return http::Response::message(200, "Entity removed.");
}

constexpr Answer kStates[] = {{200, "The state of every entity, all at one moment.", "States"}};
constexpr Answer kState[] = {{200, "The state with its context.", "State"}};
constexpr Answer kWrittenState[] = {{200, "The entity was known; its state as it is now.", "State"},
                                    {201, "The entity is new; Location names it.", "State"},
                                    {507, "The home has no room for more; the message names the limit.", "Message"}};
constexpr Body kNewState{"NewState", true};

}  // namespace

constexpr Endpoint kStateEndpointRows[] = {
    {http::Verb::get, "/api/states", Access::user, list_states, Durable::no, "All states", kStates},
    {http::Verb::get,
     "/api/states/{entity_id}",
     Access::user,
     get_state,
     Durable::no,
     "One state",
     kState,
     {},
     nullptr,
     true},
    {http::Verb::post,
     "/api/states/{entity_id}",
     Access::control,
     post_state,
     Durable::recorder,
     "Set a state",
     kWrittenState,
     {},
     &kNewState},
    {http::Verb::delete_,
     "/api/states/{entity_id}",
     Access::control,
     remove_state,
     Durable::recorder,
     "Remove a state",
     kMessage,
     {},
     nullptr,
     true},
};
constexpr Endpoints kStateEndpoints = kStateEndpointRows;

}  // namespace hearth::api
