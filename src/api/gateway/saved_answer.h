// SPDX-License-Identifier: Apache-2.0
// Sends an answer that confirms a change after the change is saved (Parts::when_saved), or 503 if it cannot be saved.
#pragma once

#include "api/parts.h"
#include "http/messages/handler.h"

namespace hearth::api {

// A success waits, a failure goes out at once.
void send_when_saved(const Parts& parts, Durable durable, http::Responder responder,
                     base::Result<http::Response> response);

}  // namespace hearth::api
