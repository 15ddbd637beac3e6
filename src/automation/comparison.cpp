// SPDX-License-Identifier: Apache-2.0
#include "automation/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>

#include "base/text.h"
#include "template/state_value.h"

namespace hearth::automation {
namespace {

// Notes what is no number.
Fit unclear(std::string* why, std::string message) {
  if (why) *why = std::move(message);
  return Fit::unclear;
}

// Whether the number is on the right side of the limit. `is_right` compares the two.
template <class Compare>
Fit side_of(const Home& home, double number, const Limit& limit, Compare is_right, std::string* why) {
  if (std::holds_alternative<std::monostate>(limit)) return Fit::yes;
  std::optional<double> value;
  if (const auto* const fixed = std::get_if<double>(&limit)) {
    value = *fixed;
  } else {
    const auto& id = std::get<std::string>(limit);
    const core::StatePtr state = home.find(id);
    if (!state) return unclear(why, fmt::format("there is no {}, which is the limit", id));
    if (is_gone(json::string(state->value()))) return Fit::no;
    value = number_of(json::string(state->value()));
    if (!value) return unclear(why, fmt::format("the limit {} is {}: expected a number", id, state->value()));
  }
  return is_right(number, *value) ? Fit::yes : Fit::no;
}

}  // namespace

json::value value_of(const core::StatePtr& state, const std::string& attribute) {
  if (!state) return nullptr;
  if (attribute.empty()) return json::string(state->value());
  const json::object attributes = state->attributes();
  const json::value* const found = attributes.if_contains(attribute);
  return found ? *found : json::value(nullptr);
}

bool is_equal(const json::value& one, const json::value& other) {
  if (one.is_number() && other.is_number()) {
    if (!one.is_double() && !other.is_double()) return one == other;
    return one.to_number<double>() == other.to_number<double>();
  }
  if (const auto* const list = one.if_array()) {
    return other.is_array() && std::ranges::equal(*list, other.get_array(), is_equal);
  }
  const auto* const object = one.if_object();
  if (!object) return one == other;
  const auto* const second = other.if_object();
  return second && object->size() == second->size() && std::ranges::all_of(*object, [&](const auto& entry) {
           const json::value* const found = second->if_contains(entry.key());
           return found && is_equal(entry.value(), *found);
         });
}

bool is_one_of(const json::value& value, const std::vector<json::value>& values) {
  return std::ranges::any_of(values, [&](const json::value& each) { return is_equal(value, each); });
}

bool is_gone(const json::value& value) {
  return value.is_null() ||
         (value.is_string() && (value.get_string() == core::kUnavailable || value.get_string() == core::kUnknown));
}

bool is_timestamp(const core::State& state) {
  const json::object attributes = state.attributes();
  const json::value* const found = attributes.if_contains("device_class");
  return found && *found == json::string("timestamp");
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
            const templates::VariablesView& variables, std::string* why) {
  if (!state || state->value() == core::kUnavailable) return Fit::no;
  json::value value = value_of(state, comparison.attribute);
  if (comparison.value_template) {
    const templates::Variables own{{"state", templates::state_value(state)}};
    auto rendered = comparison.value_template->render_json(home.renderer, {own, variables});
    if (!rendered) return unclear(why, rendered.error().message);
    value = std::move(*rendered);
  }
  if (is_gone(value)) return Fit::no;
  const auto number = number_of(value);
  if (!number) {
    const std::string what = comparison.value_template      ? "value_template of "
                             : comparison.attribute.empty() ? ""
                                                            : comparison.attribute + " of ";
    return unclear(why, fmt::format("{}{} is {}: expected a number", what, state->entity_id(),
                                    value.is_string() ? std::string(value.get_string()) : base::to_json(value)));
  }
  const Fit over = side_of(home, *number, comparison.above, std::greater(), why);
  return over == Fit::yes ? side_of(home, *number, comparison.below, std::less(), why) : over;
}

}  // namespace hearth::automation
