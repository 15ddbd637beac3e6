// SPDX-License-Identifier: Apache-2.0
#include "domains/kinds/text.h"

#include <fmt/format.h>

#include "base/text/utf8.h"
#include "domains/entities/kinds.h"

namespace hearth::domains {
namespace text {

constexpr Attribute kAttributes[] = {
    {"mode", field::Option{"text password"}, Shown::once},
    {"min", field::Integer{0, 255}, Shown::once},
    {"max", field::Integer{0, 255}, Shown::once},
    {"pattern", field::Text{}, Shown::once},
};
constexpr Input kValue[] = {{.field = {"value", "The text.", "Hello", field::Text{}, true}, .sets = "state"}};
constexpr Action kActions[] = {{"set_value", "Set", "Sets texts.", kValue}};

// Only the device knows whether the text matches the pattern.
base::Result<void> check_length(const Thing& text, Order& order) {
  const auto length = base::utf8_length(order.data.at("value").get_string());
  const double min = text.number("min").value_or(0), max = text.number("max").value_or(255);
  if (length && static_cast<double>(*length) >= min && static_cast<double>(*length) <= max) return {};
  return base::fail(base::ErrorCode::invalid, fmt::format("value: {} takes {} to {} characters, got {}",
                                                          text.entity_id(), min, max, length.value_or(0)));
}

}  // namespace text

constexpr Kind kText{.domain = "text",
                     .description = "A text that a device takes.",
                     .value = field::Text{},
                     .attributes = text::kAttributes,
                     .actions = text::kActions,
                     .check = text::check_length};

}  // namespace hearth::domains
