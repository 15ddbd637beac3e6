// SPDX-License-Identifier: Apache-2.0
// One field of a service: its purpose and type. Can be constexpr: its strings are views that must live as long as the
// program. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "base/result.h"
#include "core/values/field.h"

namespace hearth::core {

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
