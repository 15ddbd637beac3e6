// SPDX-License-Identifier: Apache-2.0
#include "derived/engine.h"

#include <fmt/format.h>

#include <cmath>

#include "base/text/number.h"
#include "base/text/text.h"
#include "template/values/value.h"

namespace hearth::derived {

bool is_known(const core::State* state) {
  return state && state->value() != core::kUnknown && state->value() != core::kUnavailable;
}

std::optional<double> number_of(const core::State* state) {
  return is_known(state) ? base::parse_number(state->value()) : std::nullopt;
}

std::string text_attribute(const core::State* state, std::string_view name) {
  if (!state || !state->attributes_json().contains(name)) return {};
  const json::object attributes = state->attributes();
  const json::value* const value = attributes.if_contains(name);
  return value && value->is_string() ? std::string(value->get_string()) : std::string();
}

json::value fixed(double number, int decimals) {
  if (!std::isfinite(number)) return {};
  std::string text = fmt::format("{:.{}f}", number, decimals);
  if (text.starts_with('-') && text.find_first_not_of("-0.") == std::string::npos) text.erase(0, 1);
  return json::string(text);
}

json::value plain(double number) {
  if (!std::isfinite(number)) return {};
  std::string text = templates::number_text(number == 0 ? 0.0 : number);
  if (text.find_first_not_of("-0123456789") == std::string::npos) text += ".0";
  return json::string(text);
}

json::value rounded(double number, int decimals) {
  const json::value text = fixed(number, decimals);
  if (decimals == 0 || !text.is_string()) return text;
  return plain(base::parse_number(text.get_string()).value_or(number));
}

}  // namespace hearth::derived
