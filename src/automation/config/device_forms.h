// SPDX-License-Identifier: Apache-2.0
// Translates triggers, conditions and steps that name a device and one of its entities by `domain` and `type`, as pages
// write them. Any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json.h"

namespace hearth::automation {

// A trigger or a condition of the entity: that its state is one of these, or that a number is within limits.
struct DeviceMeaning {
  std::vector<std::string> states = {};  // empty: any change, of a trigger; of a condition given by `option_key`
  bool numeric = false;                  // `above`, `below`
  std::string attribute = {};            // instead of the state
  std::string option_key = {};           // whose value is the state: hvac_mode, option …
  std::optional<bool> enters = {};       // a zone, or leaves it
};
// `type` as of a trigger: turned_on, motion, no_motion, opened …; null if there is no such type.
std::optional<DeviceMeaning> device_trigger(std::string_view domain, std::string_view type);
// As of a condition: is_on, is_no_motion, is_open …
std::optional<DeviceMeaning> device_condition(std::string_view domain, std::string_view type);

// The service of a step, such as light.turn_on; the keys of the step that are its data; data that the type implies.
struct DeviceAction {
  struct Key {
    std::string_view name, field;  // of the step, and of the service
    constexpr Key(const char* both) : name(both), field(both) {}
    constexpr Key(const char* of_step, const char* of_service) : name(of_step), field(of_service) {}
  };
  std::string service;  // empty: the notify service of the device itself
  std::vector<Key> keys;
  // Data of the service unless the step says otherwise; no key: nothing.
  std::string preset_field;
  json::value preset;
};
std::optional<DeviceAction> device_action(std::string_view domain, std::string_view type);

}  // namespace hearth::automation
