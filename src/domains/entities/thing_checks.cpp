// SPDX-License-Identifier: Apache-2.0
// A Thing's checks of a service call, before anything is done.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "domains/entities/thing.h"

namespace hearth::domains {
namespace {

std::string names_in(const json::value& list) {
  std::string names;
  if (!list.is_array()) return names;
  for (const json::value& each : list.get_array()) {
    if (!names.empty()) names += ", ";
    names += each.is_string() ? std::string(each.get_string()) : base::to_json(each);
  }
  return names;
}

// Rounded to the step: 21.1, not 21.100000000000001.
double on_step(double number, double min, double max, double step) {
  if (!std::isnormal(step)) return number;
  const double nearest = std::min(min + std::round((number - min) / step) * step, max);
  return std::round(nearest * 1e6) / 1e6;
}

}  // namespace

base::Result<void> Thing::check(const Action& action) const {
  if (const Feature* const missing = lacks(action.needs)) return cannot(*this, missing->cannot);
  return {};
}

base::Result<void> Thing::can(std::string_view service, const json::object& data) const {
  const Action* const action = kind_.find_action(service);
  if (!action) return {};
  if (const auto possible = order(*action, data); !possible) return std::unexpected(possible.error());
  return {};
}

base::Result<void> Thing::check_bounds(const Input& input, json::value& value) const {
  const Bounds& bounds = input.bounds;
  const std::string_view key = input.field.name;
  if (!bounds.options.empty() && value.is_string() && !offers(bounds.options, value.get_string())) {
    const std::string what = bounds.cannot.empty() ? fmt::format("set its {} to", key) : std::string(bounds.cannot);
    return cannot(*this,
                  fmt::format("{} {}; it has {}", what, base::to_json(value), names_in(attribute(bounds.options))));
  }
  const auto min = number(bounds.min), max = number(bounds.max);
  if (!value.is_number() || (!min && !max)) return {};
  const auto wanted = value.to_number<double>();
  if (wanted < min.value_or(wanted) || wanted > max.value_or(wanted)) {
    return base::fail(base::ErrorCode::invalid,
                      fmt::format("{}: {} takes {} to {}, got {}", key, entity_id(), min.value_or(-field::kEndless),
                                  max.value_or(field::kEndless), wanted));
  }
  const double stepped =
      on_step(wanted, min.value_or(0), max.value_or(field::kEndless), number(bounds.step).value_or(0));
  if (stepped != wanted && value.is_double()) value = stepped;
  return {};
}

base::Result<void> Thing::check_inputs(Order& order) const {
  for (const Input& input : order.action->fields) {
    json::value* const value = order.data.if_contains(input.field.name);
    if (!value) continue;
    if (const Feature* const missing = lacks(input.needs)) {
      if (input.essential) return cannot(*this, missing->cannot);
      continue;
    }
    if (auto good = check_bounds(input, *value); !good) return good;
  }
  return {};
}

void Thing::leave_out_inputs(Order& order) const {
  for (const Input& input : order.action->fields) {
    const Feature* const missing = lacks(input.needs);
    if (!missing || !order.data.contains(input.field.name)) continue;
    leave_out(entity_id(), input.field.name, missing->cannot);
    order.data.erase(input.field.name);
  }
}

base::Result<Order> Thing::order(const Action& action, const json::object& data) const {
  auto order = order_by_table(action, data);
  // After the kind's rules, which may see a meaning in them: a fan at 0 % is off.
  if (order) leave_out_inputs(*order);
  if (!order || !device_) return order;
  if (auto possible = device_->check(*order->action, order->data); !possible) return std::unexpected(possible.error());
  return order;
}

base::Result<Order> Thing::order_by_table(const Action& action, const json::object& data) const {
  if (std::ranges::count_if(action.one_of, [&](std::string_view key) { return data.contains(key); }) > 1) {
    return base::fail(
        base::ErrorCode::invalid,
        fmt::format("{}: only one of them per call", fmt::join(action.one_of.begin(), action.one_of.end(), ", ")));
  }
  Order order{&action, data, &action};
  if (action.toggles) order.action = kind_.find_action(kind_.active.contains(value_) ? kind_.off : kind_.on);
  if (auto able = check(*order.action); !able) return std::unexpected(able.error());
  if (auto good = check_inputs(order); !good) return std::unexpected(good.error());
  if (!kind_.check) return order;
  const Action* const asked = order.action;
  if (auto good = kind_.check(*this, order); !good) return std::unexpected(good.error());
  if (order.action == asked) return order;
  if (auto able = check(*order.action); !able) return std::unexpected(able.error());
  if (auto good = check_inputs(order); !good) return std::unexpected(good.error());
  return order;
}

}  // namespace hearth::domains
