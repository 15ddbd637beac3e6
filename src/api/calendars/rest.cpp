// SPDX-License-Identifier: Apache-2.0
// GET /api/calendars and GET /api/calendars/{entity_id}.
#include <map>

#include "api/elsewhere/refusal.h"
#include "api/rows.h"
#include "core/services/other_hub.h"
#include "core/values/entity_id.h"

namespace hearth::api {
namespace {

using base::ErrorCode;

constexpr std::string_view kDomain = "calendar.";
constexpr std::size_t kDayLength = 10;  // of 2026-04-20

// {"date": "2026-04-20"} or {"dateTime": "2026-04-20T18:00:00+02:00"}.
json::object time_object(const json::value& text) {
  return {{text.get_string().size() == kDayLength ? "date" : "dateTime", text}};
}

json::value value_or_null(const json::object& object, std::string_view key) {
  const json::value* const value = object.if_contains(key);
  return value ? *value : json::value();
}

std::string answer(const json::value& events) {
  json::array list;
  for (const json::value& each : events.as_array()) {
    const json::object& event = each.as_object();
    list.push_back(json::object{{"start", time_object(event.at("start"))},
                                {"end", time_object(event.at("end"))},
                                {"summary", event.at("summary")},
                                {"description", value_or_null(event, "description")},
                                {"location", value_or_null(event, "location")},
                                {"uid", value_or_null(event, "uid")},
                                {"recurrence_id", value_or_null(event, "recurrence_id")},
                                {"rrule", value_or_null(event, "rrule")}});
  }
  return base::to_json(list);
}

// The question for the calendar's device. Fails with invalid, not_found.
base::Result<core::ServiceRequest> question(const Call& call) {
  const std::string id = core::lower_case(call.path(2));
  if (!id.starts_with(kDomain) || !call.home.find(id)) return base::fail(ErrorCode::not_found, "Entity not found.");
  core::ServiceRequest request;
  request.domain = "calendar";
  request.service = "get_events";
  request.data["entity_id"] = id;
  for (const auto& [parameter, field] : {std::pair("start", "start_date_time"), {"end", "end_date_time"}}) {
    const auto time = call.request.target.query(parameter);
    if (!time) return base::fail(ErrorCode::invalid, std::string(parameter) + ": expected a date and time.");
    request.data[field] = *time;
  }
  request.return_response = true;
  request.announced = false;
  request.context = call.context();
  return request;
}

base::Result<http::Response> list_calendars(const Call& call) {
  std::map<std::string, json::object, std::less<>> found;
  call.home.states().for_each([&](const core::State& state) {
    if (!state.entity_id().starts_with(kDomain)) return;
    const json::object attributes = state.attributes();
    const json::value* const name = attributes.if_contains("friendly_name");
    found.emplace(state.entity_id(), json::object{{"entity_id", state.entity_id()},
                                                  {"name", name ? *name : json::value(state.entity_id())}});
  });
  json::array calendars;
  for (auto& [id, calendar] : found) calendars.push_back(std::move(calendar));
  return http::Response::json(base::to_json(calendars));
}

// Of a calendar of another hub, as that one answers.
void get_events_elsewhere(const Call& call, const std::string& hub, const std::string& id,
                          const std::shared_ptr<http::Responder>& responder) {
  using core::OtherHub;
  const std::string start(*call.request.target.query("start")), end(*call.request.target.query("end"));
  const auto posted = call.home.ask_elsewhere(
      hub, id.size() + start.size() + end.size(), [hub, id, start, end, responder](OtherHub* there) {
        if (!there) return responder->send(http::Response::error(gone(hub)));
        there->events(id, start, end, [responder](const base::Result<json::value>& answer) {
          responder->send(answer ? http::Response::json(base::to_json(*answer))
                                 : http::Response::error(answer.error()));
        });
      });
  if (!posted) responder->send(http::Response::error(posted.error()));
}

// Fails with invalid, not_found, unavailable.
void get_calendar_events(const Call& call, http::Responder responder) {
  auto request = question(call);
  if (!request) return responder.send(http::Response::error(request.error()));
  const std::string id(request->data.at("entity_id").get_string());
  auto shared = std::make_shared<http::Responder>(std::move(responder));
  if (const std::string other = call.home.elsewhere(id); !other.empty())
    return get_events_elsewhere(call, other, id, shared);
  call.home.call(std::move(*request), [shared, id](const base::Result<core::CallOutcome>& outcome) {
    const json::object* const answers = outcome ? outcome->response.if_object() : nullptr;
    const json::value* const events = answers ? answers->if_contains(id) : nullptr;
    if (!outcome) return shared->send(http::Response::error(outcome.error()));
    if (!events) {
      return shared->send(
          http::Response::error(base::Error{ErrorCode::unavailable, "The calendar does not answer now."}));
    }
    shared->send(http::Response::json(answer(events->at("events"))));
  });
}

constexpr Answer kCalendars[] = {{200, "Each calendar, in the order of the entity ids.", "Calendars"}};
constexpr Answer kCalendarEvents[] = {{200, "In the order of their starts.", "CalendarEvents"},
                                      {502, "The other hub, where the calendar is, gave no answer.", "Message"},
                                      {503, "The calendar does not answer now.", "Message"}};
constexpr Parameter kSpan[] = {
    {"start", "Events that end after this; without an offset by the home's clocks.",
     R"({"type": "string", "format": "date-time"})", false, true},
    {"end", "And begin before this.", R"({"type": "string", "format": "date-time"})", false, true}};

}  // namespace

constexpr Endpoint kCalendarEndpointRows[] = {
    {http::Verb::get, "/api/calendars", Access::user, list_calendars, Durable::no, "All calendars", kCalendars},
    {http::Verb::get, "/api/calendars/{entity_id}", Access::user, get_calendar_events, Durable::no,
     "The events between two times", kCalendarEvents, kSpan, nullptr, true},
};
constexpr Endpoints kCalendarEndpoints = kCalendarEndpointRows;

}  // namespace hearth::api
