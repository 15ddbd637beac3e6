// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/text/pattern.h"
#include "domains/entities/kinds.h"
#include "domains/kinds/text.h"

namespace hearth::domains {
namespace input_text {

constexpr Attribute kAttributes[] = {
    {"editable", field::Boolean{}, Shown::once},           {"min", field::Integer{0, 255}, Shown::once},
    {"max", field::Integer{0, 255}, Shown::once},          {"pattern", field::Text{}, Shown::once},
    {"mode", field::Option{"text password"}, Shown::once}, {"unit_of_measurement", field::Text{}, Shown::once},
};
constexpr Input kValue[] = {{.field = {"value", "The text.", "Hello", field::Text{}, true}, .sets = "state"}};
constexpr Action kActions[] = {{"set_value", "Set", "Sets helpers to a text.", kValue}};

base::Result<void> check(const Thing& helper, Order& order) {
  if (auto good = text::check_length(helper, order); !good) return good;
  const json::value& text = helper.attribute("pattern");
  if (!text.is_string()) return {};
  const auto pattern = base::Pattern::parse(text.get_string());
  if (!pattern || pattern->matches(order.data.at("value").get_string())) return {};
  return base::fail(base::ErrorCode::invalid,
                    fmt::format("value: {} takes what matches {}", helper.entity_id(), base::to_json(text)));
}

}  // namespace input_text

constexpr Kind kInputText{.domain = "input_text",
                          .description = "A text that people make for themselves.",
                          .value = field::Text{},
                          .attributes = input_text::kAttributes,
                          .actions = input_text::kActions,
                          .check = input_text::check};

}  // namespace hearth::domains
