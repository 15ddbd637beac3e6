// SPDX-License-Identifier: Apache-2.0
// One field of a service: what it is for, and what values it takes. Any thread.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace hearth::core {

// What a field's value may be. Numbers and booleans may arrive as text ("101", "on"); what reaches the handler has the
// type.
namespace field {
struct Boolean {};
struct Integer {
  std::int64_t min, max;
};
struct Number {
  double min, max;
};
struct Text {};
struct Option {  // one of these texts
  std::vector<std::string> options;
};
struct Numbers {  // a list of exactly `count` numbers
  std::size_t count;
  double min, max;
  std::optional<double> max_first = {};  // where the first has a bound of its own, as a hue has
};
struct TextList {};  // a list of texts, or one text
struct Object {};
struct Any {};
using Type = std::variant<Boolean, Integer, Number, Text, Option, Numbers, TextList, Object, Any>;
}  // namespace field

struct Field {
  std::string name;
  std::string description;
  json::value example;
  field::Type type = field::Any{};
  bool required = false;
  bool secret = false;  // what is given is not told in call_service

  // The value as the handler gets it. Fails with invalid; the message names the field and what was expected.
  base::Result<json::value> convert(const json::value& value) const;
};

// {"description":…,"example":…,"required":…,"selector":…}
json::object to_json_object(const Field& field);

}  // namespace hearth::core
