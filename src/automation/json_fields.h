// SPDX-License-Identifier: Apache-2.0
// Members of JSON objects that this program has written itself: what is absent or of another kind is empty.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/id.h"
#include "base/json.h"

namespace hearth::automation {

inline const json::value& value_at(const json::object& object, std::string_view key) {
  static const json::value kNull;
  const json::value* const found = object.if_contains(key);
  return found ? *found : kNull;
}
inline std::string text_at(const json::object& object, std::string_view key) {
  const json::value& found = value_at(object, key);
  return found.is_string() ? std::string(found.get_string()) : std::string();
}
inline std::int64_t number_at(const json::object& object, std::string_view key) {
  const json::value& found = value_at(object, key);
  return found.is_int64() ? found.get_int64() : 0;
}
inline bool flag_at(const json::object& object, std::string_view key) {
  const json::value& found = value_at(object, key);
  return found.is_bool() && found.get_bool();
}
inline std::optional<base::Id> id_at(const json::object& object, std::string_view key) {
  const json::value& found = value_at(object, key);
  return found.is_string() ? std::optional(base::Id(std::string_view(found.get_string()))) : std::nullopt;
}

}  // namespace hearth::automation
