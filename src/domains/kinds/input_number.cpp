// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "domains/entities/kinds.h"
#include "domains/entities/thing.h"

namespace hearth::domains {
namespace input_number {

constexpr Attribute kAttributes[] = {
    {"initial", field::Number{}, Shown::once},
    {"editable", field::Boolean{}, Shown::once},
    {"min", field::Number{}, Shown::once},
    {"max", field::Number{}, Shown::once},
    {"step", field::Number{}, Shown::once},
    {"mode", field::Option{"box slider"}, Shown::once},
    {"unit_of_measurement", field::Text{}, Shown::once},
};
constexpr Input kValue[] = {{.field = {"value", "The number.", 42.5, field::Number{}, true},
                             .bounds = {.min = "min", .max = "max"},
                             .sets = "state"}};
constexpr Action kActions[] = {
    {"set_value", "Set", "Sets helpers to a number.", kValue},
    {"increment", "Increase", "Adds the helpers' step, up to their greatest number."},
    {"decrement", "Decrease", "Takes the helpers' step away, down to their least number."},
};

// A device knows set_value only.
base::Result<void> to_value(const Thing& helper, Order& order) {
  const std::string_view service = order.action->service;
  if (service == "set_value") return {};
  const double min = helper.number("min").value_or(-field::kEndless),
               max = helper.number("max").value_or(field::kEndless);
  const json::value present(helper.reported());
  const auto number = field::convert(field::Number{}, present);
  const double step = helper.number("step").value_or(1);
  const double from = number ? number->to_number<double>() : std::isfinite(min) ? min : 0;
  const double next = from + (service == "increment" ? step : -step);
  // Without what binary fractions add: 0.3, not 0.30000000000000004.
  order.data = {{"value", std::clamp(std::round(next * 1e9) / 1e9, min, max)}};
  order.action = helper.kind().find_action("set_value");
  return {};
}

}  // namespace input_number

constexpr Kind kInputNumber{.domain = "input_number",
                            .description = "A number that people make for themselves, within its bounds.",
                            .value = field::Number{},
                            .pointed = true,
                            .attributes = input_number::kAttributes,
                            .actions = input_number::kActions,
                            .check = input_number::to_value};

}  // namespace hearth::domains
