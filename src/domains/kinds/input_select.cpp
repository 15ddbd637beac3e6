// SPDX-License-Identifier: Apache-2.0
#include "core/registry/helper_types.h"
#include "domains/entities/kinds.h"
#include "domains/kinds/select.h"

namespace hearth::domains {
namespace input_select {

constexpr Attribute kAttributes[] = {{"options", field::TextList{}, Shown::once},
                                     {"editable", field::Boolean{}, Shown::once}};
constexpr Input kOption[] = {{.field = {"option", "One of the helper's options.", "home", field::Text{}, true},
                              .bounds = {.options = "options", .cannot = "take the option"},
                              .sets = "state"}};
constexpr Input kOptions[] = {{.field = {"options", "What can be chosen from now on.",
                                         core::Example::Json{R"(["home","away"])"}, field::TextList{}, true}}};
constexpr Action kActions[] = {
    select::choice(kOption),
    select::kNext,
    select::kPrevious,
    select::kFirst,
    select::kLast,
    {"set_options", "Set options",
     "Gives helpers other options. One that is not at one of them any more goes to the first.", kOptions},
};

base::Result<void> check(const Thing& helper, Order& order) {
  if (order.action->service != "set_options") return select::to_option(helper, order);
  return core::check_options(order.data.at("options").get_array());
}

}  // namespace input_select

constexpr Kind kInputSelect{.domain = "input_select",
                            .description = "One of several options that people make for themselves.",
                            .value = field::Text{},
                            .bounds = {.options = "options"},
                            .attributes = input_select::kAttributes,
                            .actions = input_select::kActions,
                            .check = input_select::check};

}  // namespace hearth::domains
