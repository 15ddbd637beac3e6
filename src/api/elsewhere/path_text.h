// SPDX-License-Identifier: Apache-2.0
// Parts of a request's target, encoded again, for the hub elsewhere that they go to. Any thread.
#pragma once

#include <string>

#include "http/messages/target.h"

namespace hearth::api {

// The segments from that one on, joined by slashes.
std::string path_text(const http::Target& target, std::size_t first);
// The query without its parameter `token`, which is of this hub: `a=1&b=2`, or nothing.
std::string query_text(const http::Target& target);

}  // namespace hearth::api
