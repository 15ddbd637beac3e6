// SPDX-License-Identifier: Apache-2.0
#include "core/values/service_field.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "base/text/number.h"
#include "base/text/text.h"
#include "base/text/timestamp.h"
#include "base/text/truth.h"
#include "base/text/utf8.h"
#include "core/values/entity_id.h"

namespace hearth::core {
namespace {

std::optional<double> as_number(const json::value& value) {
  if (value.is_double() && std::isfinite(value.get_double())) return value.get_double();
  if (value.is_int64()) return static_cast<double>(value.get_int64());
  if (value.is_uint64()) return static_cast<double>(value.get_uint64());
  return value.is_string() ? base::parse_plain_number(value.get_string()) : std::nullopt;
}

// Rounded.
std::optional<std::int64_t> as_integer(const json::value& value) {
  if (value.is_int64()) return value.get_int64();
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

std::optional<bool> as_boolean(const json::value& value) {
  if (value.is_bool()) return value.get_bool();
  return value.is_string() ? base::parse_boolean(value.get_string()) : std::nullopt;
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

std::string of_unit(std::string_view unit) {
  return unit.empty() ? std::string() : fmt::format(" {}", unit);
}

// Each visitor below handles every type of field.
struct Expected {
  std::string operator()(const field::Boolean&) const { return "true or false"; }
  std::string operator()(const field::Integer& type) const {
    return fmt::format("a whole number from {} to {}{}", type.min, type.max, of_unit(type.unit));
  }
  std::string operator()(const field::Number& type) const {
    if (!std::isfinite(type.min) && !std::isfinite(type.max)) return "a number" + of_unit(type.unit);
    return fmt::format("a number from {} to {}{}", type.min, type.max, of_unit(type.unit));
  }
  std::string operator()(const field::Text&) const { return "a text"; }
  std::string operator()(const field::Option& type) const {
    return fmt::format("one of {}", fmt::join(type.options.begin(), type.options.end(), ", "));
  }
  std::string operator()(const field::Date&) const { return "a date as 2026-04-20"; }
  std::string operator()(const field::Time&) const { return "a time as 05:04:20"; }
  std::string operator()(const field::DateTime&) const { return "a date and time as 2026-04-20 05:04:20"; }
  std::string operator()(const field::Numbers& type) const {
    if (type.max_first) {
      return fmt::format("a list of {} numbers, the first from {} to {}, the others to {}", type.count, type.min,
                         *type.max_first, type.max);
    }
    return fmt::format("a list of {} numbers from {} to {}", type.count, type.min, type.max);
  }
  std::string operator()(const field::TextList&) const { return "a text or a list of texts"; }
  std::string operator()(const field::Object&) const { return "an object"; }
  std::string operator()(const field::Any&) const { return "a value"; }
};

struct Convert {
  const json::value& value;
  using Converted = std::optional<json::value>;

  Converted operator()(const field::Boolean&) const {
    if (const auto boolean = as_boolean(value)) return *boolean;
    return {};
  }
  Converted operator()(const field::Integer& type) const {
    if (const auto integer = as_integer(value)) return within_bounds(type, integer);
    const auto beyond = as_number(value);
    if (!beyond || !type.clamped) return {};
    return *beyond < 0 ? type.min : type.max;
  }
  Converted operator()(const field::Number& type) const { return within_bounds(type, as_number(value)); }
  Converted operator()(const field::Text&) const {
    // A number meant as a string: a lock's code 1234.
    if (value.is_string()) return value;
    if (value.is_number() && as_number(value)) return json::value(base::to_json(value));
    return {};
  }
  Converted operator()(const field::Option& type) const {
    if (!value.is_string() || !type.options.contains(value.get_string())) return {};
    return value;
  }
  Converted operator()(const field::Date&) const { return as_date(value); }
  Converted operator()(const field::Time&) const { return as_time(value); }
  Converted operator()(const field::DateTime&) const {
    if (!value.is_string()) return {};
    const std::string text = padded(value.get_string());
    return base::parse_timestamp(text) ? Converted(json::value(text)) : std::nullopt;
  }
  Converted operator()(const field::Numbers& type) const {
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
  Converted operator()(const field::TextList&) const {
    if (value.is_string()) return json::array{value};
    if (!value.is_array()) return {};
    const auto& list = value.get_array();
    if (!std::all_of(list.begin(), list.end(), [](const json::value& v) { return v.is_string(); })) return {};
    return value;
  }
  Converted operator()(const field::Object&) const {
    if (!value.is_object()) return {};
    return value;
  }
  Converted operator()(const field::Any&) const { return value; }
};

struct Selector {
  static json::object number(json::value min, json::value max, json::value step, std::string_view unit) {
    json::object of{{"min", std::move(min)}, {"max", std::move(max)}, {"step", std::move(step)}};
    if (!unit.empty()) of["unit_of_measurement"] = unit;
    return {{"number", std::move(of)}};
  }

  json::object operator()(const field::Boolean&) const { return {{"boolean", json::object()}}; }
  json::object operator()(const field::Integer& type) const { return number(type.min, type.max, 1, type.unit); }
  json::object operator()(const field::Number& type) const {
    json::object made = number(type.min, type.max, "any", type.unit);
    json::object& of = made["number"].get_object();
    if (!std::isfinite(type.min)) of.erase("min");
    if (!std::isfinite(type.max)) of.erase("max");
    return made;
  }
  json::object operator()(const field::Text&) const { return {{"text", json::object()}}; }
  json::object operator()(const field::Option& type) const {
    return {{"select", {{"options", json::array(type.options.begin(), type.options.end())}}}};
  }
  json::object operator()(const field::Date&) const { return {{"date", json::object()}}; }
  json::object operator()(const field::Time&) const { return {{"time", json::object()}}; }
  json::object operator()(const field::DateTime&) const { return {{"datetime", json::object()}}; }
  json::object operator()(const field::Numbers&) const { return {{"object", json::object()}}; }
  json::object operator()(const field::TextList&) const { return {{"text", {{"multiple", true}}}}; }
  json::object operator()(const field::Object&) const { return {{"object", json::object()}}; }
  json::object operator()(const field::Any&) const { return {{"object", json::object()}}; }
};

struct ToJson {
  json::value operator()(std::monostate) const { return nullptr; }
  json::value operator()(Example::Json list) const { return base::parse_json(list.text).value(); }
  json::value operator()(auto value) const { return json::value(value); }
};

}  // namespace

std::optional<json::value> field::convert(const Type& type, const json::value& value) {
  return std::visit(Convert{value}, type);
}

std::string field::expected(const Type& type) {
  return std::visit(Expected{}, type);
}

json::object field::selector(const Type& type) {
  return std::visit(Selector{}, type);
}

bool field::is_clamped(const Type& type) {
  return std::visit(
      [](const auto& each) {
        if constexpr (requires { each.clamped; }) return each.clamped;
        return false;
      },
      type);
}

json::value Example::to_json() const {
  return std::visit(ToJson{}, value_);
}

base::Result<json::value> Field::convert(const json::value& value) const {
  if (auto converted = field::convert(type, value)) return std::move(*converted);
  return base::fail(base::ErrorCode::invalid, fmt::format("{}: expected {}, got {}", name, field::expected(type),
                                                          base::utf8_excerpt(base::to_json(value))));
}

json::object to_json_object(const Field& field) {
  return {{"description", field.description},
          {"example", field.example.to_json()},
          {"required", field.required},
          {"selector", field::selector(field.type)}};
}

}  // namespace hearth::core
