// SPDX-License-Identifier: Apache-2.0
#include "core/values/field.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "base/config/duration.h"
#include "base/text/number.h"
#include "base/text/text.h"
#include "base/text/timestamp.h"
#include "base/text/truth.h"
#include "base/text/utf8.h"
#include "core/values/entity_id.h"
#include "core/values/mqtt_topic.h"

namespace hearth::core::field {
namespace {

constexpr std::size_t kMaxTopic = 65'535;        // bytes (MQTT 5 §1.5.4)
constexpr std::size_t kMaxTemplate = 64 * 1024;  // bytes
constexpr std::size_t kMaxTexts = 1'000;         // of a TextSet

std::optional<double> as_number(const json::value& value, Writer writer = Writer::client) {
  if (value.is_double() && std::isfinite(value.get_double())) return value.get_double();
  if (value.is_int64()) return static_cast<double>(value.get_int64());
  if (value.is_uint64()) return static_cast<double>(value.get_uint64());
  if (!value.is_string() || writer == Writer::program) return {};
  return writer == Writer::device ? base::parse_number(value.get_string())
                                  : base::parse_plain_number(value.get_string());
}

// Rounded.
std::optional<std::int64_t> as_integer(const json::value& value, Writer writer) {
  if (value.is_int64()) return value.get_int64();
  if (writer == Writer::program) return {};
  if (value.is_string()) {
    if (const auto integer = base::parse_integer<std::int64_t>(value.get_string())) return integer;
  }
  // The bounds are the nearest doubles to those of int64.
  const auto number = as_number(value);
  if (!number || *number < -0x1p63 || *number >= 0x1p63) return {};
  return std::llround(*number);
}

// Null if the number is beyond the bounds of a type that is not clamped.
template <class Type, class Value>
std::optional<json::value> within_bounds(const Type& type, std::optional<Value> number) {
  if (!number) return {};
  const Value nearest = std::clamp(*number, type.min, type.max);
  if (nearest != *number && !type.clamped) return {};
  return nearest;
}

std::optional<bool> as_boolean(const json::value& value, Writer writer) {
  if (value.is_bool()) return value.get_bool();
  if (value.is_number() && writer == Writer::device) return value.to_number<double>() != 0;
  return value.is_string() && writer != Writer::program ? base::parse_boolean(value.get_string()) : std::nullopt;
}

// The number in exactly that many digits.
std::optional<int> digits(std::string_view text, std::size_t start, std::size_t places) {
  int number = 0;
  for (const char c : text.substr(start, places)) {
    if (c < '0' || c > '9') return {};
    number = number * 10 + (c - '0');
  }
  return number;
}

// A date, a time or both with two digits in each part: 9:30 is 09:30. Fractions and offsets stay as they are.
std::string padded(std::string_view text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  std::string all;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool begins = i == 0 || std::string_view("-: T").contains(text[i - 1]);
    const bool alone = i + 1 == text.size() || !is_digit(text[i + 1]);
    if (is_digit(text[i]) && begins && alone) all += '0';
    all += text[i];
  }
  return all;
}

std::optional<json::value> as_date(const json::value& value) {
  if (!value.is_string()) return {};
  std::string text = padded(value.get_string());
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return {};
  const auto year = digits(text, 0, 4), month = digits(text, 5, 2), day = digits(text, 8, 2);
  if (!year || !month || !day) return {};
  const std::chrono::year_month_day date(std::chrono::year(*year), std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day)));
  return date.ok() ? std::optional<json::value>(text) : std::nullopt;
}

std::optional<json::value> as_time(const json::value& value) {
  if (!value.is_string()) return {};
  std::string text = padded(base::trim_blanks(value.get_string()));
  if (text.size() == 5) text += ":00";
  if (text.size() != 8 || text[2] != ':' || text[5] != ':') return {};
  const auto hour = digits(text, 0, 2), minute = digits(text, 3, 2), second = digits(text, 6, 2);
  const bool fits = hour && minute && second && *hour < 24 && *minute < 60 && *second < 60;
  return fits ? std::optional<json::value>(text) : std::nullopt;
}

std::optional<json::value> as_text_set(const json::value& value) {
  if (!value.is_array() || value.get_array().size() > kMaxTexts) return {};
  json::array set;
  for (const json::value& each : value.get_array()) {
    if (!each.is_string() && !each.is_number() && !each.is_bool()) return {};
    json::value text(printed(each));
    if (std::ranges::find(set, text) == set.end()) set.push_back(std::move(text));
  }
  return set;
}

bool is_entity(const json::value& value, Words domains) {
  if (!value.is_string()) return false;
  const auto id = EntityId::parse(value.get_string());
  return id && (domains.empty() || domains.contains(id->domain()));
}

// The rule that a topic breaks; empty if it breaks none.
std::string_view broken_rule(const json::value& topic, bool is_filter) {
  if (!topic.is_string()) return "a topic";
  const std::string_view text = topic.get_string();
  if (text.empty() || text.size() > kMaxTopic) return "a topic of 1 to 65535 bytes";
  if (text.contains('\0')) return "a topic without null characters";
  if (is_filter) return is_topic_filter(text) ? "" : "a topic with + and # as whole levels only";
  return text.find_first_of("#+") == std::string_view::npos ? "" : "a topic without wildcards";
}

std::string of_unit(std::string_view unit) {
  return unit.empty() ? std::string() : fmt::format(" {}", unit);
}

std::string joined(Words words) {
  return fmt::format("{}", fmt::join(words.begin(), words.end(), ", "));
}

// Each visitor below is a column of the table: it handles every type.
struct Expected {
  const json::value* wrong;

  std::string operator()(const Boolean&) const { return "true or false"; }
  std::string operator()(const Integer& type) const {
    if (type.max == INT64_MAX) return fmt::format("a whole number of at least {}{}", type.min, of_unit(type.unit));
    return fmt::format("a whole number from {} to {}{}", type.min, type.max, of_unit(type.unit));
  }
  std::string operator()(const Number& type) const {
    const bool from = std::isfinite(type.min), to = std::isfinite(type.max);
    const std::string words = from && to ? fmt::format("a number from {} to {}", type.min, type.max)
                              : from     ? fmt::format("a number from {}", type.min)
                              : to       ? fmt::format("a number up to {}", type.max)
                                         : "a number";
    return words + of_unit(type.unit);
  }
  std::string operator()(const Text&) const { return "a text"; }
  std::string operator()(const Option& type) const { return fmt::format("one of {}", joined(type.options)); }
  std::string operator()(const Date&) const { return "a date as 2026-04-20"; }
  std::string operator()(const Time&) const { return "a time as 05:04:20"; }
  std::string operator()(const DateTime&) const { return "a date and time as 2026-04-20 05:04:20"; }
  std::string operator()(const Duration&) const { return std::string(base::kDurationForm); }
  std::string operator()(const Numbers& type) const {
    if (type.max_first) {
      return fmt::format("a list of {} numbers, the first from {} to {}, the others to {}", type.count, type.min,
                         *type.max_first, type.max);
    }
    return fmt::format("a list of {} numbers from {} to {}", type.count, type.min, type.max);
  }
  std::string operator()(const TextList&) const { return "a text or a list of texts"; }
  std::string operator()(const TextSet&) const { return "a list of texts"; }
  std::string operator()(const Entity& type) const {
    const std::string one =
        type.domains.empty() ? "an entity id" : fmt::format("the id of an entity of {}", joined(type.domains));
    return type.several ? fmt::format("{}, or a list of them", one) : one;
  }
  std::string operator()(const Template&) const { return "a template of at most 64 KiB"; }
  std::string operator()(const Topic&) const { return std::string(broken_rule(wrong ? *wrong : json::value(), false)); }
  std::string operator()(const TopicFilter&) const {
    return std::string(broken_rule(wrong ? *wrong : json::value(), true));
  }
  std::string operator()(const Payload&) const { return "a text"; }
  std::string operator()(const Object&) const { return "an object"; }
  std::string operator()(const Any&) const { return "a value"; }
};

struct Convert {
  const json::value& value;
  Writer writer;
  using Converted = std::optional<json::value>;

  Converted operator()(const Boolean&) const {
    if (const auto boolean = as_boolean(value, writer)) return *boolean;
    return {};
  }
  Converted operator()(const Integer& type) const {
    if (const auto integer = as_integer(value, writer)) return within_bounds(type, integer);
    const auto beyond = as_number(value, writer);
    if (!beyond || !type.clamped || writer == Writer::program) return {};
    return *beyond < 0 ? type.min : type.max;
  }
  Converted operator()(const Number& type) const { return within_bounds(type, as_number(value, writer)); }
  Converted operator()(const Text&) const {
    // A number meant as a string: a lock's code 1234.
    if (value.is_string()) return value;
    if (value.is_number() && as_number(value) && writer != Writer::program) return json::value(base::to_json(value));
    return {};
  }
  Converted operator()(const Option& type) const {
    return if_fits(value.is_string() && type.options.contains(value.get_string()));
  }
  Converted operator()(const Date&) const { return as_date(value); }
  Converted operator()(const Time&) const { return as_time(value); }
  Converted operator()(const DateTime&) const {
    if (!value.is_string()) return {};
    const std::string text = padded(value.get_string());
    return base::parse_timestamp(text) ? Converted(json::value(text)) : std::nullopt;
  }
  Converted operator()(const Duration&) const { return if_fits(base::duration_of(value).has_value()); }
  Converted operator()(const Numbers& type) const {
    if (!value.is_array() || value.get_array().size() != type.count) return {};
    json::array numbers;
    for (const auto& element : value.get_array()) {
      const auto number = as_number(element);
      const double max = numbers.empty() ? type.max_first.value_or(type.max) : type.max;
      if (!number || *number < type.min || *number > max) return {};
      numbers.push_back(*number);
    }
    return numbers;
  }
  Converted operator()(const TextList&) const {
    if (value.is_string()) return json::array{value};
    if (!value.is_array()) return {};
    const auto& list = value.get_array();
    if (!std::all_of(list.begin(), list.end(), [](const json::value& v) { return v.is_string(); })) return {};
    return value;
  }
  Converted operator()(const TextSet&) const { return as_text_set(value); }
  Converted operator()(const Entity& type) const {
    const json::array* const list = type.several ? value.if_array() : nullptr;
    if (!list) return if_fits(is_entity(value, type.domains));
    return if_fits(std::ranges::all_of(*list, [&](const json::value& each) { return is_entity(each, type.domains); }));
  }
  Converted operator()(const Template&) const {
    return if_fits(value.is_string() && value.get_string().size() <= kMaxTemplate);
  }
  Converted operator()(const Topic&) const { return if_fits(broken_rule(value, false).empty()); }
  Converted operator()(const TopicFilter&) const { return if_fits(broken_rule(value, true).empty()); }
  Converted operator()(const Payload&) const {
    if (value.is_object() || value.is_array()) return {};
    return json::value(printed(value));
  }
  Converted operator()(const Object&) const { return if_fits(value.is_object()); }
  Converted operator()(const Any&) const { return value; }

 private:
  Converted if_fits(bool fits) const { return fits ? Converted(value) : std::nullopt; }
};

struct Selector {
  static json::array array_of(Words words) { return json::array(words.begin(), words.end()); }
  static json::object number(json::value min, json::value max, json::value step, std::string_view unit) {
    json::object of{{"min", std::move(min)}, {"max", std::move(max)}, {"step", std::move(step)}};
    if (!unit.empty()) of["unit_of_measurement"] = unit;
    return {{"number", std::move(of)}};
  }

  json::object operator()(const Boolean&) const { return {{"boolean", json::object()}}; }
  json::object operator()(const Integer& type) const { return number(type.min, type.max, 1, type.unit); }
  json::object operator()(const Number& type) const {
    json::object made = number(type.min, type.max, "any", type.unit);
    json::object& of = made["number"].get_object();
    if (!std::isfinite(type.min)) of.stable_erase("min");
    if (!std::isfinite(type.max)) of.stable_erase("max");
    return made;
  }
  json::object operator()(const Text& type) const {
    if (type.offered.empty()) return {{"text", json::object()}};
    return {{"select", {{"custom_value", true}, {"options", array_of(type.offered)}}}};
  }
  json::object operator()(const Option& type) const { return {{"select", {{"options", array_of(type.options)}}}}; }
  json::object operator()(const Date&) const { return {{"date", json::object()}}; }
  json::object operator()(const Time&) const { return {{"time", json::object()}}; }
  json::object operator()(const DateTime&) const { return {{"datetime", json::object()}}; }
  json::object operator()(const Duration&) const { return {{"duration", {{"enable_day", true}}}}; }
  json::object operator()(const Numbers&) const { return {{"object", json::object()}}; }
  json::object operator()(const TextList& type) const {
    if (type.offered.empty()) return {{"text", {{"multiple", true}}}};
    return {{"select", {{"multiple", true}, {"options", array_of(type.offered)}}}};
  }
  json::object operator()(const TextSet&) const { return {{"text", {{"multiple", true}}}}; }
  json::object operator()(const Entity& type) const {
    json::object entity;
    if (type.several) entity["multiple"] = true;
    if (!type.domains.empty()) entity["filter"] = {{"domain", array_of(type.domains)}};
    return {{"entity", std::move(entity)}};
  }
  json::object operator()(const Template&) const { return {{"template", json::object()}}; }
  json::object operator()(const Topic&) const { return {{"text", json::object()}}; }
  json::object operator()(const TopicFilter&) const { return {{"text", json::object()}}; }
  json::object operator()(const Payload&) const { return {{"text", json::object()}}; }
  json::object operator()(const Object&) const { return {{"object", json::object()}}; }
  json::object operator()(const Any&) const { return {{"object", json::object()}}; }
};

}  // namespace

std::optional<json::value> convert(const Type& type, const json::value& value, Writer writer) {
  return std::visit(Convert{value, writer}, type);
}

std::string expected(const Type& type, const json::value* wrong) {
  return std::visit(Expected{wrong}, type);
}

std::string complaint(const Type& type, const json::value& wrong) {
  return mismatch(expected(type, &wrong), wrong);
}

std::string mismatch(std::string_view expected, const json::value& wrong) {
  return fmt::format("expected {}, got {}", expected, base::utf8_excerpt(base::to_json(wrong)));
}

json::object selector(const Type& type) {
  return std::visit(Selector{}, type);
}

bool is_clamped(const Type& type) {
  return std::visit(
      [](const auto& each) {
        if constexpr (requires { each.clamped; }) return each.clamped;
        return false;
      },
      type);
}

std::string printed(const json::value& value) {
  if (value.is_string()) return std::string(value.get_string());
  if (value.is_bool()) return value.get_bool() ? "True" : "False";
  if (value.is_null()) return "None";
  return base::to_json(value);
}

}  // namespace hearth::core::field
