// SPDX-License-Identifier: Apache-2.0
#include "domains/lists/calendar_answer.h"

#include <fmt/format.h>

#include "domains/entities/local_time.h"
#include "domains/lists/calendar.h"

namespace hearth::domains {

Report calendar_report(const series::Occurrence* event, base::Timestamp now, const std::string& zone) {
  constexpr std::size_t kDaySize = 10;  // of 2026-04-20
  Report report{.value = "off",
                .attributes = {{"message", nullptr},
                               {"all_day", nullptr},
                               {"start_time", nullptr},
                               {"end_time", nullptr},
                               {"location", nullptr},
                               {"description", nullptr}}};
  if (!event) return report;
  const auto local = [&](base::Timestamp time) {
    std::string text = local_time_text(time, zone).substr(0, 19);
    text[kDaySize] = ' ';
    return text;
  };
  report.value = event->start <= now ? "on" : "off";
  report.attributes["message"] = event->fields->at("summary");
  report.attributes["all_day"] = event->start_text.size() == kDaySize;
  report.attributes["start_time"] = local(event->start);
  report.attributes["end_time"] = local(event->end);
  for (const std::string_view key : {"location", "description"}) {
    if (const json::value* const value = event->fields->if_contains(key)) report.attributes[key] = *value;
  }
  return report;
}

json::object event_answer(std::string_view uid, const json::object& fields, const series::Occurrence& occurrence) {
  json::object made{{series::kUid, uid}};
  for (const std::string_view key : series::kTexts) {
    if (const json::value* const value = occurrence.fields->if_contains(key)) made[key] = *value;
  }
  made["start"] = occurrence.start_text;
  made["end"] = occurrence.end_text;
  if (!occurrence.recurrence_id.empty()) {
    made[series::kId] = occurrence.recurrence_id;
    made[series::kRule] = fields.at(series::kRule);
  }
  return made;
}

base::Result<void> check_event_texts(const json::object& data) {
  using base::ErrorCode;
  for (const std::string_view key : {"summary", "description", "location"}) {
    const json::value* const value = data.if_contains(key);
    if (!value) continue;
    if (value->get_string().size() > Calendar::kMaxTextBytes) {
      return base::fail(ErrorCode::invalid,
                        fmt::format("{}: expected at most {} bytes.", key, Calendar::kMaxTextBytes));
    }
    if (key == "summary" && value->get_string().empty())
      return base::fail(ErrorCode::invalid, "summary: expected a text that is not empty.");
  }
  return {};
}

}  // namespace hearth::domains
