// SPDX-License-Identifier: Apache-2.0
#include "automation/conditions/comparison.h"

#include <fmt/format.h>

#include <functional>

#include "base/text/text.h"
#include "template/home/state_value.h"

namespace hearth::automation {
namespace {

// Notes what is no number.
Fit unclear(std::string* why, std::string message) {
  if (why) *why = std::move(message);
  return Fit::unclear;
}

// True if the number is on the right side of the limit. `is_right` compares the two.
template <class Compare>
Fit side_of(const Moment& moment, double number, const Limit& limit, Compare is_right, std::string* why) {
  if (std::holds_alternative<std::monostate>(limit)) return Fit::yes;
  std::optional<double> value;
  if (const auto* const fixed = std::get_if<double>(&limit)) {
    value = *fixed;
  } else {
    const auto& id = std::get<std::string>(limit);
    const core::StatePtr state = moment.find(id);
    if (!state) return unclear(why, fmt::format("there is no {}, which is the limit", id));
    if (is_gone(json::string(state->value()))) return Fit::no;
    value = number_of(json::string(state->value()));
    if (!value) return unclear(why, fmt::format("the limit {} is {}: expected a number", id, state->value()));
  }
  return is_right(number, *value) ? Fit::yes : Fit::no;
}

}  // namespace

Fit compare(const Moment& moment, const NumericComparison& comparison, const core::StatePtr& state,
            const templates::VariablesView& variables, std::string* why) {
  if (!state || state->value() == core::kUnavailable) return Fit::no;
  json::value value = value_of(state, comparison.attribute);
  if (comparison.value_template) {
    const templates::Variables own{{"state", templates::state_value(state)}};
    auto rendered = comparison.value_template->render_json(moment.renderer(), {own, variables});
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
  const Fit over = side_of(moment, *number, comparison.above, std::greater(), why);
  return over == Fit::yes ? side_of(moment, *number, comparison.below, std::less(), why) : over;
}

}  // namespace hearth::automation
