// SPDX-License-Identifier: Apache-2.0
// Checks a request to upgrade to a WebSocket (RFC 6455 §4.2.1). The handler checks beforehand which page may ask
// (Origin).
#pragma once

#include <optional>

#include "http/messages/request.h"
#include "http/messages/response.h"

namespace hearth::http {

// Null if the request is valid; 426 for another version, otherwise 400.
std::optional<Response> refuse_upgrade(const Request& request);

}  // namespace hearth::http
