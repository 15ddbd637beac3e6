// SPDX-License-Identifier: Apache-2.0
#include "api/gateway/stream_hub.h"
#include "api/rows.h"
#include "base/text/text.h"

namespace hearth::api {
namespace {

// `restrict=a,b&restrict=c` are three types; none at all means every type.
core::EventFilter filter_of(const http::Target& target) {
  core::EventFilter filter;
  for (const auto& [name, value] : target.query()) {
    if (name != "restrict") continue;
    for (std::string_view rest = value; !rest.empty();) {
      const auto comma = std::min(rest.find(','), rest.size());
      if (const auto type = base::trim_blanks(rest.substr(0, comma)); !type.empty()) filter.types.emplace(type);
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
  }
  return filter;
}

void get_stream(const Call& call, http::Responder responder) {
  constexpr std::chrono::seconds kRetry{10};  // nobody knows when another one ends
  if (call.caller->usage->full(auth::Use::stream, call.gate.use_limits))
    return responder.send(too_many_requests("This token or user has too many streams (token_streams).", kRetry));
  call.streams.open(filter_of(call.request.target), call.caller, call.request.headers.last_event_id,
                    std::move(responder));
}

constexpr Answer kStream[] = {
    {200, "Events as they happen, each a frame of `event: message` and `data: …`.", "Frames", "text/event-stream"}};
constexpr Parameter kRestrict[] = {
    {"restrict", "Only events of these types, separated by commas; pings always come.",
     R"({"type": "string", "pattern": "^[^\\x00-\\x1f\\x7f]*$", "example": "state_changed,call_service"})", true}};

}  // namespace

constexpr Endpoint kStreamEndpointRows[] = {
    {http::Verb::get, "/api/stream", Access::admin, get_stream, Durable::no, "Live events", kStream, kRestrict},
};
constexpr Endpoints kStreamEndpoints = kStreamEndpointRows;

}  // namespace hearth::api
