// SPDX-License-Identifier: Apache-2.0
// One field of a service: its purpose and type. Can be constexpr: its strings are views that must live as long as the
// program. Any thread.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/json/json.h"
#include "base/result.h"
#include "core/values/words.h"

namespace hearth::core {

// The type of a value. Numbers and booleans may arrive as strings ("101", "on"); the handler gets the right type. A
// fraction for a whole number is rounded. What is beyond a number's bounds is refused, or, if the type is `clamped`,
// becomes the nearer bound.
namespace field {
constexpr double kEndless = std::numeric_limits<double>::infinity();

struct Boolean {};
struct Integer {
  std::int64_t min, max;
  std::string_view unit = {};
  bool clamped = false;
};
struct Number {
  double min = -kEndless, max = kEndless;
  std::string_view unit = {};
  bool clamped = false;
};
struct Text {};
struct Option {  // one of these strings
  Words options;
};
struct Date {};      // 2026-04-20; 2026-4-2 means 2026-04-02
struct Time {};      // 05:04:20; 5:04 means 05:04:00
struct DateTime {};  // ISO 8601, as base::parse_timestamp reads it; its parts may have one digit
struct Numbers {     // a list of exactly `count` numbers
  std::size_t count;
  double min, max;
  std::optional<double> max_first = {};  // if the first has another maximum, such as a hue
};
struct TextList {};  // a list of strings, or a single string
struct Object {};
struct Any {};
using Type = std::variant<Boolean, Integer, Number, Text, Option, Date, Time, DateTime, Numbers, TextList, Object, Any>;

// The value converted to the type; null if that is impossible.
std::optional<json::value> convert(const Type& type, const json::value& value);
// "a number from 0 to 100".
std::string expected(const Type& type);
// The selector of a form's input: {"number":{"min":0,"max":100,"step":1}}.
json::object selector(const Type& type);
bool is_clamped(const Type& type);
}  // namespace field

// An example of a field's value.
class Example {
 public:
  struct Json {
    std::string_view text;
  };

  constexpr Example() = default;  // null
  constexpr Example(std::nullptr_t) {}
  constexpr Example(bool value) : value_(value) {}
  constexpr Example(int value) : value_(std::int64_t{value}) {}
  constexpr Example(double value) : value_(value) {}
  constexpr Example(const char* text) : value_(std::string_view(text)) {}
  constexpr Example(Json list) : value_(list) {}  // any other value, as JSON text

  json::value to_json() const;

 private:
  std::variant<std::monostate, bool, std::int64_t, double, std::string_view, Json> value_;
};

struct Field {
  std::string_view name;
  std::string_view description;
  Example example = {};
  field::Type type = field::Any{};
  bool required = false;
  bool secret = false;  // the value does not appear in call_service

  // The value for the handler. Fails with invalid; the message names the field and what was expected.
  base::Result<json::value> convert(const json::value& value) const;
};

// {"description":…,"example":…,"required":…,"selector":…}
json::object to_json_object(const Field& field);

}  // namespace hearth::core
