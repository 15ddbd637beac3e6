// SPDX-License-Identifier: Apache-2.0
#include "automation/values/state_values.h"

#include <algorithm>

#include "base/text/number.h"
#include "base/text/text.h"
#include "domains/people/zones.h"

namespace hearth::automation {
namespace {

std::optional<domains::Position> position_of(const json::object& attributes) {
  const auto number = [&](std::string_view key) {
    const json::value* const found = attributes.if_contains(key);
    return found ? number_of(*found) : std::nullopt;
  };
  const auto latitude = number("latitude"), longitude = number("longitude");
  if (!latitude || !longitude) return {};
  return domains::Position{*latitude, *longitude, number("gps_accuracy").value_or(0)};
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

bool is_no_real_state(const core::StatePtr& state) {
  return state && (state->value() == core::kUnavailable || state->value() == core::kUnknown);
}

bool is_timestamp(const core::State& state) {
  const json::object attributes = state.attributes();
  const json::value* const found = attributes.if_contains("device_class");
  return found && *found == json::string("timestamp");
}

std::optional<double> number_of(const json::value& value) {
  if (value.is_number()) return value.to_number<double>();
  if (!value.is_string()) return {};
  return base::parse_number(value.get_string());
}

std::optional<bool> is_in_zone(const core::State& entity, const core::State& zone) {
  const json::object attributes = entity.attributes(), place = zone.attributes();
  const auto at = position_of(attributes), centre = position_of(place);
  if (at && centre) {
    const json::value* const radius = place.if_contains("radius");
    return domains::distance(*at, *centre) - at->accuracy < (radius ? number_of(*radius).value_or(0) : 0);
  }
  const json::value* const zones = attributes.if_contains("in_zones");
  if (!zones || !zones->is_array()) return {};
  return std::ranges::any_of(zones->get_array(), [&](const json::value& each) {
    return each.is_string() && std::string_view(each.get_string()) == zone.entity_id();
  });
}

}  // namespace hearth::automation
