// SPDX-License-Identifier: Apache-2.0
// Answers preflight requests of browsers (Fetch standard, CORS). The session adds the header of ordinary answers.
#pragma once

#include <vector>

#include "http/messages/request.h"
#include "http/messages/response.h"
#include "http/worker.h"

namespace hearth::http {

// 200 with the origin, method and headers echoed if the origin is listed and the path has the method; otherwise 403.
Response preflight(const Request& request, const ServerOptions& options, const std::vector<Verb>& allowed);

// `GET, HEAD, POST`: for an Allow field.
std::string join(const std::vector<Verb>& verbs);

}  // namespace hearth::http
