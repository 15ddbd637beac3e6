// SPDX-License-Identifier: Apache-2.0
// Reads members of JSON objects that nobody has checked: written by a former run, or sent by another hub or a server. A
// member that is missing, of another type or too long is read as empty.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/id.h"
#include "base/json/json.h"

namespace hearth::base {

inline const json::value& value_at(const json::object& object, std::string_view key) {
  static const json::value kNull;
  const json::value* const found = object.if_contains(key);
  return found ? *found : kNull;
}
// `most`: bytes.
inline std::string text_at(const json::object& object, std::string_view key, std::size_t most = std::string::npos) {
  const json::value& found = value_at(object, key);
  return found.is_string() && found.get_string().size() <= most ? std::string(found.get_string()) : std::string();
}
// Likewise, for as long as the object is there.
inline std::string_view text_view_at(const json::object& object, std::string_view key) {
  const json::value& found = value_at(object, key);
  return found.is_string() ? std::string_view(found.get_string()) : std::string_view();
}
// A name or the like, of at most 1 KiB.
inline std::string short_text_at(const json::object& object, std::string_view key) {
  return text_at(object, key, 1'024);
}
inline std::int64_t number_at(const json::object& object, std::string_view key) {
  const json::value& found = value_at(object, key);
  return found.is_int64() ? found.get_int64() : 0;
}
inline bool flag_at(const json::object& object, std::string_view key) {
  const json::value& found = value_at(object, key);
  return found.is_bool() && found.get_bool();
}
inline std::optional<Id> id_at(const json::object& object, std::string_view key) {
  const json::value& found = value_at(object, key);
  return found.is_string() ? std::optional(Id(std::string_view(found.get_string()))) : std::nullopt;
}

}  // namespace hearth::base
