// SPDX-License-Identifier: Apache-2.0
#include "api/gateway/connection.h"
#include "api/handlers.h"

namespace hearth::api {

void websocket::get(const Call& call, http::Responder responder) {
  responder.open_websocket(std::make_unique<Connection>(call.gate, call.settings, call.sockets));
}

}  // namespace hearth::api
