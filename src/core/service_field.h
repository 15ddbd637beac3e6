// SPDX-License-Identifier: Apache-2.0
// One field of a service: what it is for, and what values it takes. The compiler can make it: its texts are views of
// texts that live as long as the program. Any thread.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/json.h"
#include "base/result.h"
#include "core/words.h"

namespace hearth::core {

// What a value may be. Numbers and booleans may arrive as text ("101", "on"); what reaches the handler has the type.
namespace field {
constexpr double kEndless = std::numeric_limits<double>::infinity();

struct Boolean {};
struct Integer {
  std::int64_t min, max;
  std::string_view unit = {};
};
struct Number {
  double min = -kEndless, max = kEndless;
  std::string_view unit = {};
};
struct Text {};
struct Option {  // one of these texts
  Words options;
};
struct Date {};      // 2026-04-20
struct Time {};      // 05:04:20; 05:04 is the same as 05:04:00
struct DateTime {};  // ISO 8601, as base::parse_timestamp takes it
struct Numbers {     // a list of exactly `count` numbers
  std::size_t count;
  double min, max;
  std::optional<double> max_first = {};  // if the first has a bound of its own, as a hue has
};
struct TextList {};  // a list of texts, or one text
struct Object {};
struct Any {};
using Type = std::variant<Boolean, Integer, Number, Text, Option, Date, Time, DateTime, Numbers, TextList, Object, Any>;

// The value as the type has it; nothing if it is not of the type.
std::optional<json::value> convert(const Type& type, const json::value& value);
// "a number from 0 to 100".
std::string expected(const Type& type);
// How a form asks for such a value: {"number":{"min":0,"max":100,"step":1}}.
json::object selector(const Type& type);
}  // namespace field

// A value that shows what a field takes.
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
  constexpr Example(Json list) : value_(list) {}  // what is none of the above, as the text of its JSON

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
  bool secret = false;  // what is given is not told in call_service

  // The value as the handler gets it. Fails with invalid; the message names the field and what was expected.
  base::Result<json::value> convert(const json::value& value) const;
};

// {"description":…,"example":…,"required":…,"selector":…}
json::object to_json_object(const Field& field);

}  // namespace hearth::core
