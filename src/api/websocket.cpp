// SPDX-License-Identifier: Apache-2.0
#include "api/handlers.h"
#include "api/websocket/connection.h"

namespace hearth::api {

void websocket::get(const Call& call, http::Responder responder) {
  responder.open_websocket(std::make_unique<Connection>(call.hub, call.gate, call.settings, call.sockets));
}

}  // namespace hearth::api
