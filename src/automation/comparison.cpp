// SPDX-License-Identifier: Apache-2.0
#include "automation/comparison.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/text.h"
#include "template/state_value.h"

namespace hearth::automation {
namespace {

// Null if the limit's entity has no number.
std::optional<double> limit_value(const Home& home, const Limit& limit) {
  if (const auto* const number = std::get_if<double>(&limit)) return *number;
  return number_of(value_of(home.find(std::get<std::string>(limit)), ""));
}

}  // namespace

json::value value_of(const core::StatePtr& state, const std::string& attribute) {
  if (!state) return nullptr;
  if (attribute.empty()) return json::string(state->value());
  const json::object attributes = state->attributes();
  const json::value* const found = attributes.if_contains(attribute);
  return found ? *found : json::value(nullptr);
}

bool is_one_of(const json::value& value, const std::vector<json::value>& values) {
  return std::ranges::find(values, value) != values.end();
}

bool is_gone(const json::value& value) {
  return value.is_null() ||
         (value.is_string() && (value.get_string() == core::kUnavailable || value.get_string() == core::kUnknown));
}

std::optional<double> number_of(const json::value& value) {
  if (value.is_number()) return value.to_number<double>();
  if (!value.is_string()) return {};
  const std::string_view text = base::trim_blanks(value.get_string());
  double number = 0;
  const char* const start = text.data() + text.starts_with('+');
  const auto [end, error] = std::from_chars(start, text.data() + text.size(), number);
  if (text.empty() || error != std::errc() || end != text.data() + text.size() || !std::isfinite(number)) return {};
  return number;
}

Fit compare(const Home& home, const NumericComparison& comparison, const core::StatePtr& state,
            const templates::Variables& variables) {
  if (!state || state->value() == core::kUnavailable || state->value() == core::kUnknown) return Fit::no;
  json::value value = value_of(state, comparison.attribute);
  if (comparison.value_template) {
    templates::Variables seen = variables;
    seen.insert(seen.begin(), {"state", templates::state_value(state)});
    auto rendered = comparison.value_template->render_json(home.renderer, seen);
    if (!rendered) return Fit::unclear;
    value = std::move(*rendered);
  }
  if (is_gone(value)) return Fit::no;
  const auto number = number_of(value);
  if (!number) return Fit::unclear;
  const auto is_limit = [](const Limit& limit) { return !std::holds_alternative<std::monostate>(limit); };
  if (is_limit(comparison.above)) {
    const auto above = limit_value(home, comparison.above);
    if (!above) return Fit::unclear;
    if (*number <= *above) return Fit::no;
  }
  if (is_limit(comparison.below)) {
    const auto below = limit_value(home, comparison.below);
    if (!below) return Fit::unclear;
    if (*number >= *below) return Fit::no;
  }
  return Fit::yes;
}

}  // namespace hearth::automation
