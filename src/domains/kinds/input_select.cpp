// SPDX-License-Identifier: Apache-2.0
#include "core/helper_types.h"
#include "domains/kinds.h"
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
constexpr Input kCycle[] = {
    {{"cycle", "Whether the other end follows after the last; it does if nothing is said.", true, field::Boolean{}}}};
constexpr Action kActions[] = {
    {"select_option", "Select", "Selects an option.", kOption},
    {"select_next", "Next", "Selects the next option.", kCycle},
    {"select_previous", "Previous", "Selects the option before.", kCycle},
    {"select_first", "First", "Selects the first option."},
    {"select_last", "Last", "Selects the last option."},
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
