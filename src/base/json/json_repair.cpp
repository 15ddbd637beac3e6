// SPDX-License-Identifier: Apache-2.0
#include "base/json/json_repair.h"

#include <fmt/format.h>

#include <cmath>
#include <string_view>

#include "base/text/utf8.h"

namespace hearth::base {
namespace {

std::string_view repair(json::value& value) {
  if (const double* const number = value.if_double(); number && !std::isfinite(*number)) {
    value = nullptr;
    return "is not a number";
  }
  if (const json::string* const text = value.if_string(); text && !utf8_length(*text)) {
    value = utf8_repaired(*text);
    return "is not UTF-8";
  }
  std::string_view wrong;
  if (json::array* const array = value.if_array()) {
    for (json::value& element : *array) {
      if (const auto found = repair(element); wrong.empty()) wrong = found;
    }
  } else if (json::object* const object = value.if_object()) {
    for (auto& entry : *object) {
      if (const auto found = repair(entry.value()); wrong.empty()) wrong = found;
    }
  }
  return wrong;
}

}  // namespace

std::string repair_json(json::object& object) {
  std::string wrong;
  for (auto& entry : object) {
    const auto found = repair(entry.value());
    if (wrong.empty() && !found.empty()) wrong = fmt::format("{} {}", std::string_view(entry.key()), found);
  }
  return wrong;
}

}  // namespace hearth::base
