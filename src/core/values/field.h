// SPDX-License-Identifier: Apache-2.0
// The types of values that people, clients and devices give: how each is read, described in words, and shown in a form.
// Services, kinds of entities, helpers, and the keys of derived sensors, MQTT and blueprints are made of them. Can be
// constexpr: their strings are views that must live as long as they are used. Any thread.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/json/json.h"
#include "core/values/words.h"

namespace hearth::core::field {

constexpr double kEndless = std::numeric_limits<double>::infinity();

struct Boolean {};  // or a text that is one: "on"
// Numbers may arrive as texts ("101"). A fraction for a whole number is rounded. A number beyond the bounds is refused,
// or, if the type is `clamped`, becomes the nearer bound.
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
struct Text {
  Words offered = {};  // by a form
};
struct Option {  // one of these strings
  Words options;
};
struct Date {};      // 2026-04-20; 2026-4-2 means 2026-04-02
struct Time {};      // 05:04:20; 5:04 means 05:04:00
struct DateTime {};  // ISO 8601, as base::parse_timestamp reads it; its parts may have one digit
struct Duration {};  // as base::duration_of reads it
struct Numbers {     // a list of exactly `count` numbers
  std::size_t count;
  double min, max;
  std::optional<double> max_first = {};  // if the first has another maximum, such as a hue
};
struct TextList {  // a list of strings, or a single string
  Words offered = {};
};
struct TextSet {};  // a list of texts, of which each is kept once; numbers and booleans become texts
struct Entity {     // an entity id
  Words domains = {};
  bool several = false;  // one, or a list
};
struct Template {};  // its text, not compiled
struct Topic {};     // of MQTT, to publish to
struct TopicFilter {};
struct Payload {};  // of MQTT: a text; null, booleans and numbers become what Python prints
struct Object {};
struct Any {};
using Type = std::variant<Boolean, Integer, Number, Text, Option, Date, Time, DateTime, Duration, Numbers, TextList,
                          TextSet, Entity, Template, Topic, TopicFilter, Payload, Object, Any>;

// A device is forgiven more than a client: 1 is true, and " +5 " is 5. A program is forgiven nothing: "5" is no number,
// and 5.0 no whole one.
enum class Writer { client, device, program };

// The value converted to the type; null if that is impossible.
std::optional<json::value> convert(const Type& type, const json::value& value, Writer writer = Writer::client);
// "a number from 0 to 100". With the wrong value of a topic, the rule that it breaks.
std::string expected(const Type& type, const json::value* wrong = nullptr);
// "expected a number from 0 to 100, got 101".
std::string complaint(const Type& type, const json::value& wrong);
std::string mismatch(std::string_view expected, const json::value& wrong);
// The selector of a form's input: {"number":{"min":0,"max":100,"step":1}}.
json::object selector(const Type& type);
bool is_clamped(const Type& type);

// The value as Python prints it: True, None, 1.0; a text as it is.
std::string printed(const json::value& value);

}  // namespace hearth::core::field
