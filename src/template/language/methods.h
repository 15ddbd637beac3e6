// SPDX-License-Identifier: Apache-2.0
// The methods and fields of Python's built-in types.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "template/values/call.h"

namespace hearth::templates {

struct Method {
  std::string_view name;
  Function function;  // the value itself is the first argument; null if it changes the value, which is unsafe
};

// Null if its type has no such method.
const Method* find_method(const Value& value, std::string_view name);
// The method of this value, as a value; undefined if it is unsafe.
Value bound(const Value& value, const Method& method);
// A field, not a method: the year of a date. Null if its type has no such field.
std::optional<Value> field_of(const Value& value, std::string_view name);

// Null if there is none of that name.
const Method* find_in(std::span<const Method> methods, std::string_view name);
// By type.
const Method* find_text_method(std::string_view name);
std::span<const Method> more_text_methods();  // of those, the ones in another file
const Method* find_number_method(const Value& value, std::string_view name);
const Method* find_moment_method(const Value& value, std::string_view name);
const Method* find_moment_class_method(const Value& value, std::string_view name);
std::optional<Value> moment_field(const Value& value, std::string_view name);

}  // namespace hearth::templates
