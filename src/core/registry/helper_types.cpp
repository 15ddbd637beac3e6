// SPDX-License-Identifier: Apache-2.0
#include "core/registry/helper_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/config/duration.h"
#include "base/text/pattern.h"
#include "base/text/text.h"
#include "base/text/utf8.h"
#include "core/registry/schedule_fields.h"
#include "core/values/entity_id.h"

namespace hearth::core {
namespace {

using base::ErrorCode;

constexpr std::int64_t kCountEnd = 1'000'000'000'000;
constexpr CollectionField kName{{"name", "What it is called.", "Guests", field::Text{}, true}};
constexpr CollectionField kIcon{{"icon", "mdi:…", "mdi:account-group", field::Text{}}};

constexpr CollectionField kBooleanFields[] = {
    kName,
    kIcon,
    {{"initial", "Its state after each start; as before, if it is missing.", true, field::Boolean{}}},
};
constexpr CollectionField kButtonFields[] = {kName, kIcon};
constexpr CollectionField kListFields[] = {kName, kIcon};
constexpr CollectionField kNumberFields[] = {
    kName,
    kIcon,
    {{"min", "Minimum.", 0, field::Number{}, true}},
    {{"max", "Maximum.", 100, field::Number{}, true}},
    {{"step", "Between two numbers.", 1, field::Number{1e-9, 1e9}}, 1.0},
    {{"mode", "How a page asks for it.", "slider", field::Option{"box slider"}}, "slider"},
    {{"unit_of_measurement", "What it is measured in.", "°C", field::Text{}}},
    {{"initial", "Its state after each start; as before, if it is missing.", 20, field::Number{}}},
};
constexpr CollectionField kSelectFields[] = {
    kName,
    kIcon,
    {{"options", "What can be chosen.", Example::Json{R"(["home","away"])"}, field::TextList{}, true}},
    {{"initial", "Its state after each start; as before, if it is missing.", "home", field::Text{}}},
};
constexpr CollectionField kTextFields[] = {
    kName,
    kIcon,
    {{"min", "Minimum number of characters.", 0, field::Integer{0, kMaxHelperText}}, 0},
    {{"max", "Maximum number of characters.", 100, field::Integer{0, kMaxHelperText}}, 100},
    {{"pattern", "A regular expression that the whole text matches.", "[a-z]*", field::Text{}}},
    {{"mode", "How a page shows it.", "text", field::Option{"text password"}}, "text"},
    {{"unit_of_measurement", "What it is measured in.", "°C", field::Text{}}},
    {{"initial", "Its state after each start; as before, if it is missing.", "Hello", field::Text{}}},
};
constexpr CollectionField kDateTimeFields[] = {
    kName,
    kIcon,
    {{"has_date", "Whether it has a date.", true, field::Boolean{}}, false},
    {{"has_time", "Whether it has a time of the day; it has at least one of the two.", true, field::Boolean{}}, false},
    {{"initial", "Its state after each start; as before, if it is missing.", "07:30:00", field::Text{}}},
};
constexpr CollectionField kCounterFields[] = {
    kName,
    kIcon,
    {{"initial", "What it begins with, and what a reset sets.", 0, field::Integer{-kCountEnd, kCountEnd}}, 0},
    {{"step", "What is added or taken away.", 1, field::Integer{1, kCountEnd}}, 1},
    {{"minimum", "Minimum.", 0, field::Integer{-kCountEnd, kCountEnd}}},
    {{"maximum", "Maximum.", 10, field::Integer{-kCountEnd, kCountEnd}}},
    {{"restore", "Whether it is as before after a start.", true, field::Boolean{}}, true},
};
constexpr CollectionField kTimerFields[] = {
    kName,
    kIcon,
    {{"duration", "How long it runs: seconds, HH:MM:SS, or an object of hours, minutes, seconds.", "00:05:00"}, 0},
    {{"restore", "Whether it goes on after a start; it always does.", true, field::Boolean{}}, false},
};
constexpr CollectionField kGroupFields[] = {
    kName,
    kIcon,
    {{"entities", "Its members.", Example::Json{R"(["light.bed","switch.fan"])"}, field::TextList{}},
     Example::Json{"[]"}},
    {{"all",
      "Whether it is on only if all its members are; of lights, switches and binary sensors, and without a type.", true,
      field::Boolean{}},
     false},
    {{"group_type", "The domain of the entity that the group is; without it, a group of entities of any.", "light",
      field::Option{kGroupTypes}}},
    {{"sensor_type", "Of sensors: what is made of their numbers.", "mean", field::Option{kGroupSums}}},
    {{"ignore_non_numeric", "Of sensors: whether those without a number are left out; otherwise the group is unknown.",
      true, field::Boolean{}}},
    {{"device_class", "Of sensors and binary sensors: what it measures, if the members do not agree.", "temperature",
      field::Text{}}},
    {{"unit_of_measurement", "Of sensors: what it is measured in, if the members do not agree.", "°C", field::Text{}}},
    {{"state_class", "Of sensors: how its values are to be summed up, if the members do not agree.", "measurement",
      field::Option{kStateClasses}}},
};
constexpr CollectionField kPersonFields[] = {
    kName,
    {{"device_trackers", "What tells where the person is.", Example::Json{R"(["device_tracker.phone"])"},
      field::TextList{}},
     Example::Json{"[]"}},
    {{"user_id", "The person's account.", "01J8ZQ4M6N3R9V5T7X1C2B0D4F", field::Text{}}},
    {{"picture", "The address of a picture.", "/local/ann.jpg", field::Text{}}},
};
constexpr CollectionField day(std::string_view name) {
  return {{name, "Its times: objects of from, to and perhaps data.",
           Example::Json{R"([{"from":"08:00:00","to":"12:00:00"}])"}},
          Example::Json{"[]"}};
}
constexpr CollectionField kScheduleFields[] = {
    kName,           kIcon,         day("monday"),   day("tuesday"), day("wednesday"),
    day("thursday"), day("friday"), day("saturday"), day("sunday"),
};

std::optional<double> number(const json::object& fields, std::string_view key) {
  const json::value* const found = fields.if_contains(key);
  return found && found->is_number() ? std::optional(found->to_number<double>()) : std::nullopt;
}

// That `least` is below `greatest`, and `initial` between them.
base::Result<void> check_bounds(const json::object& fields, std::string_view least, std::string_view greatest) {
  const auto min = number(fields, least), max = number(fields, greatest), initial = number(fields, "initial");
  if (min && max && *min >= *max)
    return base::fail(ErrorCode::invalid, fmt::format("{}: expected more than {}, got {}", greatest, *min, *max));
  if (initial && (*initial < min.value_or(*initial) || *initial > max.value_or(*initial))) {
    return base::fail(ErrorCode::invalid,
                      fmt::format("initial: expected a number from {} to {}, got {}", min.value_or(-field::kEndless),
                                  max.value_or(field::kEndless), *initial));
  }
  return {};
}

base::Result<void> check_number(const json::object& fields) {
  return check_bounds(fields, "min", "max");
}

base::Result<void> check_counter(const json::object& fields) {
  return check_bounds(fields, "minimum", "maximum");
}

base::Result<void> check_select(const json::object& fields) {
  const json::array& options = fields.at("options").get_array();
  if (auto good = check_options(options); !good) return good;
  const json::value* const initial = fields.if_contains("initial");
  if (!initial || std::ranges::find(options, *initial) != options.end()) return {};
  return base::fail(ErrorCode::invalid, "initial: " + field::mismatch("one of the options", *initial));
}

base::Result<void> check_text(const json::object& fields) {
  const std::int64_t min = fields.at("min").get_int64(), max = fields.at("max").get_int64();
  if (min > max) return base::fail(ErrorCode::invalid, fmt::format("max: expected at least {}, got {}", min, max));
  const json::value* const initial = fields.if_contains("initial");
  if (initial) {
    const auto length = base::utf8_length(initial->get_string());
    if (!length || static_cast<std::int64_t>(*length) < min || static_cast<std::int64_t>(*length) > max) {
      return base::fail(ErrorCode::invalid,
                        fmt::format("initial: expected {} to {} characters, got {}", min, max, length.value_or(0)));
    }
  }
  const json::value* const text = fields.if_contains("pattern");
  if (!text) return {};
  const auto pattern = base::Pattern::parse(text->get_string());
  if (!pattern) return base::fail(ErrorCode::invalid, "pattern: " + pattern.error().message);
  if (initial && !pattern->matches(initial->get_string()))
    return base::fail(ErrorCode::invalid, "initial: does not match the pattern");
  return {};
}

base::Result<void> check_datetime(const json::object& fields) {
  const bool has_date = fields.at("has_date").get_bool(), has_time = fields.at("has_time").get_bool();
  if (!has_date && !has_time) return base::fail(ErrorCode::invalid, "has_date: expected true, unless has_time is true");
  const json::value* const initial = fields.if_contains("initial");
  if (!initial) return {};
  const field::Type type = !has_time  ? field::Type(field::Date{})
                           : has_date ? field::Type(field::DateTime{})
                                      : field::Type(field::Time{});
  // By the clocks of the home: without an offset.
  const std::string_view text = initial->is_string() ? std::string_view(initial->get_string()) : "";
  const auto blank = text.find_first_of(" T");
  const bool local =
      blank == std::string_view::npos || field::convert(field::Time{}, json::value(text.substr(blank + 1)));
  if (local && field::convert(type, *initial)) return {};
  return base::fail(ErrorCode::invalid, "initial: " + field::complaint(type, *initial));
}

base::Result<void> check_timer(const json::object& fields) {
  const json::value& given = fields.at("duration");
  const auto duration = base::duration_of(given);
  if (duration && duration->count() >= 0) return {};
  return base::fail(ErrorCode::invalid, "duration: " + field::complaint(field::Duration{}, given));
}

base::Result<void> check_members(const json::object& fields, std::string_view key, std::string_view domain) {
  const auto wrong = [&](std::string_view expected, const json::value& got) {
    return base::fail(ErrorCode::invalid, fmt::format("{}: {}", key, field::mismatch(expected, got)));
  };
  const std::vector<std::string> ids = member_ids(fields.at(key));
  if (ids.size() > kMaxMembers) return wrong(fmt::format("at most {} of them", kMaxMembers), ids.size());
  for (const std::string& id : ids) {
    const auto parsed = EntityId::parse(id);
    if (!parsed) return wrong("entity ids", json::value(id));
    if (!domain.empty() && parsed->domain() != domain) return wrong(fmt::format("ids of {}", domain), json::value(id));
  }
  return {};
}

base::Result<void> check_group(const json::object& fields) {
  if (auto good = check_members(fields, "entities", ""); !good) return good;
  const json::value* const type = fields.if_contains("group_type");
  const std::string_view of = type ? std::string_view(type->get_string()) : std::string_view();
  const auto refuse = [&](std::string_view key, Words types) -> base::Result<void> {
    const json::value* const given = fields.if_contains(key);
    if (!given || *given == json::value(false) || types.contains(of)) return {};
    return base::fail(ErrorCode::invalid, of.empty() ? fmt::format("{}: is not for a group without a type", key)
                                                     : fmt::format("{}: is not for a group of the type {}", key, of));
  };
  if (!of.empty()) {
    if (auto good = refuse("all", kGroupsWithAll); !good) return good;
    if (member_ids(fields.at("entities")).empty())
      return base::fail(ErrorCode::invalid, "entities: expected at least one");
  }
  for (const char* const key : {"sensor_type", "ignore_non_numeric", "unit_of_measurement", "state_class"})
    if (auto good = refuse(key, "sensor"); !good) return good;
  if (auto good = refuse("device_class", kGroupsWithClass); !good) return good;
  if (of == "sensor" && !fields.contains("sensor_type"))
    return base::fail(ErrorCode::invalid,
                      fmt::format("sensor_type: expected {}", field::expected(field::Option{kGroupSums})));
  return {};
}

base::Result<void> check_person(const json::object& fields) {
  return check_members(fields, "device_trackers", "device_tracker");
}

constexpr CollectionType kHelperTypes[] = {
    {"input_boolean", "input_boolean_id", kBooleanFields},
    {"input_button", "input_button_id", kButtonFields},
    {"input_datetime", "input_datetime_id", kDateTimeFields, false, check_datetime},
    {"input_number", "input_number_id", kNumberFields, false, check_number},
    {"input_select", "input_select_id", kSelectFields, false, check_select},
    {"input_text", "input_text_id", kTextFields, false, check_text},
    {"counter", "counter_id", kCounterFields, false, check_counter},
    {"timer", "timer_id", kTimerFields, false, check_timer},
    {"schedule", "schedule_id", kScheduleFields, false, check_schedule},
    {"group", "group_id", kGroupFields, false, check_group},
    {"person", "person_id", kPersonFields, false, check_person},
    {"local_todo", "local_todo_id", kListFields, false, nullptr, "todo"},
    {"local_calendar", "local_calendar_id", kListFields, false, nullptr, "calendar"},
};
constexpr std::size_t kOnlyMade = 2;  // of them, at the end

}  // namespace

std::span<const CollectionType> helper_types() {
  return kHelperTypes;
}

std::span<const CollectionType> file_helper_types() {
  return helper_types().first(std::size(kHelperTypes) - kOnlyMade);
}

std::vector<std::string> member_ids(const json::value& list) {
  std::vector<std::string> ids;
  std::set<std::string> seen;
  const auto take = [&](std::string_view commas) {
    while (!commas.empty()) {
      const std::size_t comma = std::min(commas.find(','), commas.size());
      std::string id = lower_case(base::trim_blanks(commas.substr(0, comma)));
      if (!id.empty() && seen.insert(id).second) ids.push_back(std::move(id));
      commas.remove_prefix(std::min(comma + 1, commas.size()));
    }
  };
  if (list.is_string()) take(list.get_string());
  if (list.is_array())
    for (const json::value& each : list.get_array())
      if (each.is_string()) take(each.get_string());
  return ids;
}

base::Result<void> check_options(const json::array& options) {
  std::set<std::string_view> seen;
  if (options.empty()) return base::fail(ErrorCode::invalid, "options: expected at least one");
  for (const json::value& option : options) {
    const std::string_view text = option.get_string();
    const auto length = base::utf8_length(text);
    if (text.empty() || !length || *length > kMaxHelperText) {
      return base::fail(ErrorCode::invalid, fmt::format("options: expected texts of 1 to {} characters, got {}",
                                                        kMaxHelperText, base::utf8_excerpt(base::to_json(option))));
    }
    if (!seen.insert(text).second)
      return base::fail(ErrorCode::invalid, fmt::format("options: {} stands there twice", base::utf8_excerpt(text)));
  }
  return {};
}

}  // namespace hearth::core
