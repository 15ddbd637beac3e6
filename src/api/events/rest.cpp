// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "api/events/event_type.h"
#include "api/rows.h"
#include "base/json/json_members.h"
#include "base/text/utf8.h"

namespace hearth::api {
namespace {

constexpr std::size_t kMaxTypeLength = 64;
// Besides the open ones.
constexpr std::string_view kOfEveryHub[] = {"*", core::event_type::kPlatformStart, core::event_type::kPlatformStarted,
                                            core::event_type::kPlatformStop, core::event_type::kPlatformFinalWrite};

using base::ErrorCode;
using base::fail;

// The object under `event_data`; where that key is missing the whole object, as many clients send it.
base::Result<std::string> event_data(std::string_view body) {
  if (body.empty()) return "{}";
  const auto parsed = base::JsonMembers::parse(body);
  if (!parsed) return fail(ErrorCode::invalid, "Event data should be valid JSON.");
  if (parsed->kind() != json::kind::object) return fail(ErrorCode::invalid, "Event data should be a JSON object");
  const auto data = parsed->find("event_data");
  if (!data) return std::string(parsed->json());
  if (data->kind == json::kind::null) return "{}";
  if (data->kind != json::kind::object) return fail(ErrorCode::invalid, "event_data: expected an object.");
  return std::string(data->json);
}

base::Result<http::Response> list_listeners(const Call& call) {
  json::array list;
  for (const auto& [type, count] : call.home.listener_counts()) {
    const bool of_every_hub = is_open_event(type) || std::ranges::find(kOfEveryHub, type) != std::end(kOfEveryHub);
    if (!of_every_hub && !call.home.rights().reads_all()) continue;
    list.push_back(json::object{{"event", type}, {"listener_count", count}});
  }
  return http::Response::json(base::to_json(list));
}

// Fails with invalid.
base::Result<http::Response> post_event(const Call& call) {
  const std::string_view type = call.path(2);
  if (auto checked = check_event_type(type); !checked) return std::unexpected(checked.error());
  auto data = event_data(call.request.body);
  if (!data) return std::unexpected(data.error());
  if (auto fits = core::check_event_data(data->size(), call.home.limits()); !fits) return std::unexpected(fits.error());
  const auto fired = call.home.fire(type, std::move(*data), core::Origin::remote, call.context());
  if (!fired) return std::unexpected(fired.error());
  return http::Response::message(200, "Event " + std::string(type) + " fired.");
}

constexpr Answer kListeners[] = {{200, "Each event type that somebody listens for.", "Listeners"}};
constexpr Body kEventData{"EventData"};

}  // namespace

base::Result<void> check_event_type(std::string_view type) {
  const auto length = base::utf8_length(type).value_or(0);
  const auto is_control = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
  if (length >= 1 && length <= kMaxTypeLength && type != "*" && std::ranges::none_of(type, is_control)) return {};
  return fail(ErrorCode::invalid,
              "Invalid event type: expected 1 to 64 characters without control characters, and not *.");
}

constexpr Endpoint kEventEndpointRows[] = {
    {http::Verb::get, "/api/events", Access::user, list_listeners, Durable::no, "Event types with listeners",
     kListeners},
    {http::Verb::post,
     "/api/events/{event_type}",
     Access::fire,
     post_event,
     Durable::no,
     "Fire an event",
     kMessage,
     {},
     &kEventData},
};
constexpr Endpoints kEventEndpoints = kEventEndpointRows;

}  // namespace hearth::api
