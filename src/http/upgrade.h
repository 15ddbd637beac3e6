// SPDX-License-Identifier: Apache-2.0
// Whether a request asks to become a WebSocket as it should (RFC 6455 §4.2.1). Which page may ask (Origin) is
// the handler's to check, before.
#pragma once

#include <optional>

#include "http/request.h"
#include "http/response.h"

namespace hearth::http {

// Nothing where all is well; else 426 for another version, 400 for all else.
std::optional<Response> refuse_upgrade(const Request& request);

}  // namespace hearth::http
