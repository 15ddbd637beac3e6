// SPDX-License-Identifier: Apache-2.0
#include "api/gateway/connection.h"
#include "api/rows.h"

namespace hearth::api {
namespace {

void open_websocket(const Call& call, http::Responder responder) {
  responder.open_websocket(std::make_unique<Connection>(call.gate, call.settings, call.sockets));
}

constexpr Answer kWebSocket[] = {{101, "The connection is a WebSocket from here on (RFC 6455).", ""},
                                 {403, "A page of another site asks.", "Message"},
                                 {426, "No WebSocket was asked for, or another version of it.", "Message"}};

}  // namespace

constexpr Endpoint kWebSocketEndpointRows[] = {
    {http::Verb::get, "/api/websocket", Access::open, open_websocket, Durable::no,
     "The WebSocket API; the token comes in its first message", kWebSocket},
};
constexpr Endpoints kWebSocketEndpoints = kWebSocketEndpointRows;

}  // namespace hearth::api
