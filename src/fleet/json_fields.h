// SPDX-License-Identifier: Apache-2.0
// Members of JSON objects that another hub has sent: what is absent, of another kind or too long is empty.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/json.h"

namespace hearth::fleet {

constexpr std::size_t kMaxField = 1'024;  // bytes of a name or the like

inline const json::value& field_in(const json::object& object, std::string_view key) {
  static const json::value kNull;
  const json::value* const found = object.if_contains(key);
  return found ? *found : kNull;
}
inline std::string text_in(const json::object& object, std::string_view key, std::size_t most = kMaxField) {
  const json::value& found = field_in(object, key);
  return found.is_string() && found.get_string().size() <= most ? std::string(found.get_string()) : std::string();
}
inline std::int64_t number_in(const json::object& object, std::string_view key) {
  const json::value& found = field_in(object, key);
  return found.is_int64() ? found.get_int64() : 0;
}
inline bool flag_in(const json::object& object, std::string_view key) {
  const json::value& found = field_in(object, key);
  return found.is_bool() && found.get_bool();
}

}  // namespace hearth::fleet
