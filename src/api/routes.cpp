// SPDX-License-Identifier: Apache-2.0
#include "api/routes.h"

#include "api/handlers.h"

namespace hearth::api {
namespace {

using enum http::Verb;

constexpr Answer kMessage[] = {{200, "A confirmation.", "Message"}};
constexpr Answer kConfiguration[] = {{200, "What the hub is called, where it stands, what it runs.", "Configuration"}};
constexpr Answer kStates[] = {{200, "The state of every entity, all at one moment.", "States"}};
constexpr Answer kState[] = {{200, "The state with its context.", "State"}};
constexpr Answer kWrittenState[] = {{200, "The entity was known; its state as it is now.", "State"},
                                    {201, "The entity is new; Location names it.", "State"}};
constexpr Answer kListeners[] = {{200, "Each event type that somebody listens for.", "Listeners"}};
constexpr Answer kServices[] = {{200, "Every service with its fields.", "Services"}};
constexpr Answer kChangedStates[] = {
    {200, "The states that the call changed; with return_response an object of these and the response.", "CallResult"}};
constexpr Answer kStream[] = {
    {200, "Events as they happen, each a frame of `event: message` and `data: …`.", "Frames", "text/event-stream"}};
constexpr Answer kWebSocket[] = {{101, "The connection is a WebSocket from here on (RFC 6455).", ""}};
constexpr Answer kNames[] = {{200, "The names of integrations and domains that run.", "Names"}};
constexpr Answer kCoreState[] = {{200, "Whether the hub runs.", "CoreState"}};
constexpr Answer kDocument[] = {{200, "This document.", "Document"}};

constexpr Parameter kRestrict[] = {{"restrict", "Only events of these types, separated by commas; pings always come.",
                                    R"({"type": "string", "example": "state_changed,call_service"})", true}};
constexpr Parameter kServiceCall[] = {
    {"return_response", "By its presence: answer with what the service has to say, too.", R"({"type": "string"})"},
    {"wait", "Seconds to wait, at most, for the devices to report.",
     R"({"type": "number", "minimum": 0, "maximum": 10, "default": 2})"}};

constexpr Body kNewState{"NewState", true};
constexpr Body kEventData{"EventData"};
constexpr Body kServiceData{"ServiceData"};

// In the specification's order.
constexpr Endpoint kEndpoints[] = {
    {get, "/api/", Access::open, status::get, "Whether the API is running", kMessage},
    {get, "/api/config", Access::admin, config::get, "The configuration", kConfiguration},
    {get, "/api/states", Access::user, states::list, "All states", kStates},
    {get, "/api/states/{entity_id}", Access::user, states::get, "One state", kState, {}, nullptr, true},
    {post, "/api/states/{entity_id}", Access::control, states::post, "Set a state", kWrittenState, {}, &kNewState},
    {delete_,
     "/api/states/{entity_id}",
     Access::control,
     states::remove,
     "Remove a state",
     kMessage,
     {},
     nullptr,
     true},
    {get, "/api/events", Access::user, events::list, "Event types with listeners", kListeners},
    {post, "/api/events/{event_type}", Access::control, events::post, "Fire an event", kMessage, {}, &kEventData},
    {get, "/api/services", Access::user, services::list, "All services", kServices},
    {post, "/api/services/{domain}/{service}", Access::control, services::post, "Call a service", kChangedStates,
     kServiceCall, &kServiceData, true},
    {get, "/api/stream", Access::admin, stream::get, "Live events", kStream, kRestrict},
    {get, "/api/websocket", Access::open, websocket::get, "The WebSocket API; the token comes in its first message",
     kWebSocket},
    {get, "/api/components", Access::user, components::list, "Running components", kNames},
    {get, "/api/core/state", Access::user, core_state::get, "State of the hub itself", kCoreState},
    {get, "/api/openapi.json", Access::open, openapi::get, "This API, described", kDocument},
};

}  // namespace

std::span<const Endpoint> endpoints() {
  return kEndpoints;
}

}  // namespace hearth::api
