// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "domains/entities/kinds.h"
#include "domains/entities/thing.h"

namespace hearth::domains {
namespace counter {

constexpr std::int64_t kEnd = 1'000'000'000'000;
constexpr Attribute kAttributes[] = {
    {"editable", field::Boolean{}, Shown::once},           {"initial", field::Integer{-kEnd, kEnd}, Shown::once},
    {"step", field::Integer{1, kEnd}, Shown::once},        {"minimum", field::Integer{-kEnd, kEnd}, Shown::once},
    {"maximum", field::Integer{-kEnd, kEnd}, Shown::once},
};
constexpr Input kValue[] = {{.field = {"value", "The number.", 42, field::Integer{-kEnd, kEnd}, true},
                             .bounds = {.min = "minimum", .max = "maximum"},
                             .sets = "state"}};
constexpr Action kActions[] = {
    {"increment", "Increase", "Adds the counters' step, up to their maximum."},
    {"decrement", "Decrease", "Takes the counters' step away, down to their minimum."},
    {"reset", "Reset", "Sets counters to what they began with."},
    {"set_value", "Set", "Sets counters to a number.", kValue},
};

// A device knows set_value only.
base::Result<void> to_value(const Thing& counter, Order& order) {
  const std::string_view service = order.action->service;
  if (service == "set_value") return {};
  const auto whole = [&](std::string_view name, std::int64_t otherwise) {
    const json::value& value = counter.attribute(name);
    return value.is_number() ? value.to_number<std::int64_t>() : otherwise;
  };
  const std::int64_t initial = whole("initial", 0), step = whole("step", 1);
  const auto present = field::convert(field::Integer{-kEnd, kEnd}, json::value(counter.reported()));
  const std::int64_t from = service == "reset" || !present ? initial : present->to_number<std::int64_t>();
  const std::int64_t next = service == "increment" ? from + step : service == "decrement" ? from - step : from;
  order.data = {{"value", std::clamp(next, whole("minimum", -kEnd), whole("maximum", kEnd))}};
  order.action = counter.kind().find_action("set_value");
  return {};
}

}  // namespace counter

constexpr Kind kCounter{.domain = "counter",
                        .description = "Counts, within its bounds.",
                        .value = field::Integer{-counter::kEnd, counter::kEnd},
                        .attributes = counter::kAttributes,
                        .actions = counter::kActions,
                        .check = counter::to_value};

}  // namespace hearth::domains
