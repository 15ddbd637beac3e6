// SPDX-License-Identifier: Apache-2.0
#include "core/service_field.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/utf8.h"
#include "core/entity_id.h"

namespace hearth::core {
namespace {

std::optional<double> as_number(const json::value& value) {
  if (value.is_double() && std::isfinite(value.get_double())) return value.get_double();
  if (value.is_int64()) return static_cast<double>(value.get_int64());
  if (value.is_uint64()) return static_cast<double>(value.get_uint64());
  if (!value.is_string()) return {};
  const std::string_view text = value.get_string();
  double number;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (status != std::errc() || end != text.data() + text.size() || !std::isfinite(number)) return {};
  return number;
}

std::optional<std::int64_t> as_integer(const json::value& value) {
  if (value.is_int64()) return value.get_int64();
  if (value.is_string()) {
    const std::string_view text = value.get_string();
    std::int64_t integer;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), integer);
    if (status == std::errc() && end == text.data() + text.size()) return integer;
  }
  // 5.0 is a whole number too. The bounds are the doubles next to those of an int64.
  const auto number = as_number(value);
  if (!number || *number != std::floor(*number) || *number < -0x1p63 || *number >= 0x1p63) return {};
  return static_cast<std::int64_t>(*number);
}

std::optional<bool> as_boolean(const json::value& value) {
  if (value.is_bool()) return value.get_bool();
  if (!value.is_string()) return {};
  const std::string text = lower_case(value.get_string());
  if (text == "true" || text == "on" || text == "yes" || text == "1") return true;
  if (text == "false" || text == "off" || text == "no" || text == "0") return false;
  return {};
}

// Each visitor below answers one question for each type of field.
struct Expected {
  std::string operator()(const field::Boolean&) const { return "true or false"; }
  std::string operator()(const field::Integer& type) const {
    return fmt::format("a whole number from {} to {}", type.min, type.max);
  }
  std::string operator()(const field::Number& type) const {
    return fmt::format("a number from {} to {}", type.min, type.max);
  }
  std::string operator()(const field::Text&) const { return "a text"; }
  std::string operator()(const field::Option& type) const {
    return fmt::format("one of {}", fmt::join(type.options, ", "));
  }
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
    const auto integer = as_integer(value);
    if (!integer || *integer < type.min || *integer > type.max) return {};
    return *integer;
  }
  Converted operator()(const field::Number& type) const {
    const auto number = as_number(value);
    if (!number || *number < type.min || *number > type.max) return {};
    return *number;
  }
  Converted operator()(const field::Text&) const {
    // A number that is meant as text: a lock's code 1234.
    if (value.is_string()) return value;
    if (value.is_number()) return json::value(base::to_json(value));
    return {};
  }
  Converted operator()(const field::Option& type) const {
    if (!value.is_string()) return {};
    const std::string text(value.get_string());
    if (std::find(type.options.begin(), type.options.end(), text) == type.options.end()) return {};
    return value;
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
  json::object operator()(const field::Boolean&) const { return {{"boolean", json::object()}}; }
  json::object operator()(const field::Integer& type) const {
    return {{"number", {{"min", type.min}, {"max", type.max}, {"step", 1}}}};
  }
  json::object operator()(const field::Number& type) const {
    return {{"number", {{"min", type.min}, {"max", type.max}, {"step", "any"}}}};
  }
  json::object operator()(const field::Text&) const { return {{"text", json::object()}}; }
  json::object operator()(const field::Option& type) const {
    return {{"select", {{"options", json::array(type.options.begin(), type.options.end())}}}};
  }
  json::object operator()(const field::Numbers&) const { return {{"object", json::object()}}; }
  json::object operator()(const field::TextList&) const { return {{"text", {{"multiple", true}}}}; }
  json::object operator()(const field::Object&) const { return {{"object", json::object()}}; }
  json::object operator()(const field::Any&) const { return {{"object", json::object()}}; }
};

}  // namespace

base::Result<json::value> Field::convert(const json::value& value) const {
  if (auto converted = std::visit(Convert{value}, type)) return std::move(*converted);
  return base::fail(base::ErrorCode::invalid, fmt::format("{}: expected {}, got {}", name, std::visit(Expected{}, type),
                                                          base::utf8_excerpt(base::to_json(value))));
}

json::object to_json_object(const Field& field) {
  return {{"description", field.description},
          {"example", field.example},
          {"required", field.required},
          {"selector", std::visit(Selector{}, field.type)}};
}

}  // namespace hearth::core
