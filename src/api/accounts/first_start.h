// SPDX-License-Identifier: Apache-2.0
// Checks who may set up a home that has no user yet: create the first user, or start from a backup (contract, Weight,
// and strangers: first user). Worker threads.
#pragma once

#include <optional>
#include <string_view>

#include "api/call.h"
#include "http/messages/response.h"

namespace hearth::api {

// The refusal if the home has its first user, or had one.
std::optional<http::Response> refuse_second_start(const Call& call);
// The refusal if the request needs the code that the hub's log shows, and this is not it. A wrong code counts as a
// failed login. `place` is where the code was expected, for the message.
std::optional<http::Response> refuse_code(const Call& call, std::string_view place, std::string_view code);
bool needs_code(const Call& call);

// True if a Content-Type is this media type, with any parameters.
bool is_media_type(std::string_view content_type, std::string_view type);

}  // namespace hearth::api
