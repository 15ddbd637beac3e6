// SPDX-License-Identifier: Apache-2.0
#include "domains/kinds/select.h"

#include <algorithm>

#include "domains/entities/kinds.h"

namespace hearth::domains {
namespace select {

constexpr Attribute kAttributes[] = {{"options", field::TextList{}, Shown::once}};
constexpr Input kOption[] = {{.field = {"option", "One of the entity's options.", "eco", field::Text{}, true},
                              .bounds = {.options = "options", .cannot = "take the option"},
                              .sets = "state"}};
constexpr Action kActions[] = {choice(kOption), kNext, kPrevious, kFirst, kLast};

// A device knows select_option only.
base::Result<void> to_option(const Thing& select, Order& order) {
  const std::string_view service = order.action->service;
  if (service == "select_option") return {};
  const json::value& list = select.attribute("options");
  if (!list.is_array() || list.get_array().empty()) return cannot(select, "be set: it has no options");
  const json::array& options = list.get_array();
  const auto last = static_cast<std::int64_t>(options.size()) - 1;
  const auto found = std::ranges::find(options, json::value(select.reported()));
  std::int64_t place = found == options.end() ? -1 : found - options.begin();
  const json::value* const cycle = order.data.if_contains("cycle");
  const bool round = !cycle || cycle->get_bool();
  if (service == "select_first" || (place < 0 && service == "select_next"))
    place = 0;
  else if (service == "select_last" || place < 0)
    place = last;
  else if (service == "select_next")
    place = place < last ? place + 1 : round ? 0 : last;
  else
    place = place > 0 ? place - 1 : round ? last : 0;
  order.data = {{"option", options[static_cast<std::size_t>(place)]}};
  order.action = select.kind().find_action("select_option");
  return {};
}

}  // namespace select

constexpr Kind kSelect{.domain = "select",
                       .description = "One of several options.",
                       .value = field::Text{},
                       .bounds = {.options = "options"},
                       .attributes = select::kAttributes,
                       .actions = select::kActions,
                       .check = select::to_option};

}  // namespace hearth::domains
