// SPDX-License-Identifier: Apache-2.0
// calendar/event/*: the events of a calendar, as the services calendar.create_event, update_event and delete_event
// change them, which check the rights. All fail with not_found.
#include "api/gateway/message_reader.h"
#include "api/rows.h"
#include "core/values/entity_id.h"

namespace hearth::api {
namespace {

constexpr std::string_view kCalendarDomain = "calendar";
constexpr std::size_t kDaySize = 10;  // of 2026-04-20

// The message's event, with the keys of the services.
base::Result<json::object> event_data(const json::object& event) {
  std::string summary, start, end;
  json::object data;
  MessageReader in(event, "event");
  in.required("summary", summary);
  in.required("dtstart", start);
  in.required("dtend", end);
  for (const char* const key : {"description", "location", "rrule"}) {
    std::optional<std::string> text;
    in.optional(key, text);
    if (text) data[key] = *text;
  }
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  data["summary"] = summary;
  data[start.size() == kDaySize ? "start_date" : "start_date_time"] = start;
  data[end.size() == kDaySize ? "end_date" : "end_date_time"] = end;
  return data;
}

// Does the service with these data for the calendar of the message.
void do_service(const CommandCall& call, CommandReply reply, std::string_view service, const std::string& entity_id,
                json::object data) {
  const std::string id = core::lower_case(entity_id);
  if (!id.starts_with(std::string(kCalendarDomain) + '.') || !call.home.find(id))
    return reply.send(std::unexpected(CommandError(command_error::kNotFound, "There is no such calendar.")));
  core::ServiceRequest request;
  request.domain = kCalendarDomain;
  request.service = service;
  request.data = std::move(data);
  request.data["entity_id"] = id;
  request.context = call.context();
  const auto shared = std::make_shared<CommandReply>(std::move(reply));
  call.home.call(std::move(request), [shared](const base::Result<core::CallOutcome>& outcome) {
    if (outcome)
      shared->send("null");
    else
      shared->send(std::unexpected(CommandError(outcome.error())));
  });
}

// The part of an event that recurs; empty texts name none.
void read_part(MessageReader& in, json::object& data) {
  for (const char* const key : {"recurrence_id", "recurrence_range"}) {
    std::optional<std::string> text;
    in.optional(key, text);
    if (text && !text->empty()) data[key] = *text;
  }
}

// Create and update.
void write_event(const CommandCall& call, CommandReply reply, bool update) {
  std::string entity_id, uid;
  json::object event, part;
  MessageReader in(call.message);
  in.required("entity_id", entity_id);
  in.required("event", event);
  if (update) {
    in.required("uid", uid);
    read_part(in, part);
  }
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  auto data = event_data(event);
  if (!data) return reply.send(std::unexpected(CommandError(data.error())));
  for (auto& [key, value] : part) (*data)[key] = value;
  if (update) (*data)["uid"] = uid;
  do_service(call, std::move(reply), update ? "update_event" : "create_event", entity_id, std::move(*data));
}

void create_calendar_event(const CommandCall& call, CommandReply reply) {
  write_event(call, std::move(reply), false);
}

void update_calendar_event(const CommandCall& call, CommandReply reply) {
  write_event(call, std::move(reply), true);
}

void delete_calendar_event(const CommandCall& call, CommandReply reply) {
  std::string entity_id, uid;
  json::object data;
  MessageReader in(call.message);
  in.required("entity_id", entity_id);
  in.required("uid", uid);
  read_part(in, data);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  data["uid"] = uid;
  do_service(call, std::move(reply), "delete_event", entity_id, std::move(data));
}

}  // namespace

constexpr Command kCalendarCommandRows[] = {
    {"calendar/event/create", Access::control, create_calendar_event, Durable::registry, &kControlsElsewhere},
    {"calendar/event/update", Access::control, update_calendar_event, Durable::registry, &kControlsElsewhere},
    {"calendar/event/delete", Access::control, delete_calendar_event, Durable::registry, &kControlsElsewhere},
};
constexpr Commands kCalendarCommands = kCalendarCommandRows;

}  // namespace hearth::api
