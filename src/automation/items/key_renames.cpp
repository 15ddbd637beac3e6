// SPDX-License-Identifier: Apache-2.0
#include "automation/items/key_renames.h"

namespace hearth::automation {
namespace {

constexpr std::pair<std::string_view, std::string_view> kRenamed[] = {
    {"trigger", "triggers"}, {"condition", "conditions"}, {"action", "actions"}};

void respell_steps(json::value& steps);

// Replaces the key, at its place.
void rename(json::object& object, std::string_view old_key, std::string_view new_key) {
  if (!object.contains(old_key) || object.contains(new_key)) return;
  json::object renamed;
  for (auto& [key, value] : object) renamed[key == old_key ? new_key : std::string_view(key)] = std::move(value);
  object = std::move(renamed);
}

// Calls function(object) for each object of a list, or for the single one.
template <class Function>
void for_each_object(json::value& one_or_many, Function&& function) {
  if (auto* const list = one_or_many.if_array()) {
    for (json::value& each : *list) for_each_object(each, function);
  } else if (auto* const object = one_or_many.if_object()) {
    function(*object);
  }
}

template <class Function>
void at(json::object& object, std::string_view key, Function&& function) {
  if (json::value* const found = object.if_contains(key)) function(*found);
}

void respell_triggers(json::value& triggers) {
  for_each_object(triggers, [](json::object& trigger) {
    rename(trigger, "platform", "trigger");
    at(trigger, "triggers", respell_triggers);
  });
}

void respell_step(json::object& step) {
  rename(step, "service", "action");
  for (const char* const key : {"sequence", "then", "else", "default", "parallel"}) at(step, key, respell_steps);
  at(step, "wait_for_trigger", respell_triggers);
  at(step, "choose", [](json::value& choices) {
    for_each_object(choices, [](json::object& choice) {
      rename(choice, "condition", "conditions");
      at(choice, "sequence", respell_steps);
    });
  });
  at(step, "repeat", [](json::value& repeat) {
    for_each_object(repeat, [](json::object& loop) { at(loop, "sequence", respell_steps); });
  });
}

void respell_steps(json::value& steps) {
  for_each_object(steps, respell_step);
}

}  // namespace

std::string_view new_key_of(std::string_view key) {
  for (const auto& [old_key, new_key] : kRenamed) {
    if (key == old_key) return new_key;
  }
  return key;
}

json::value with_new_keys(const Item& item) {
  return with_new_keys(item.kind, base::parse_json(item.written).value_or(json::value()));
}

json::object shown_in_traces(const Item& item) {
  json::value written = with_new_keys(item);
  if (item.substituted.empty()) return {{"config", std::move(written)}, {"blueprint_inputs", nullptr}};
  return {{"config", with_new_keys(item.kind, base::parse_json(item.substituted).value_or(json::value()))},
          {"blueprint_inputs", std::move(written)}};
}

json::value with_new_keys(ItemKind kind, json::value written) {
  auto* const object = written.if_object();
  if (!object) return written;
  if (kind == ItemKind::automation) {
    for (const auto& [old_key, new_key] : kRenamed) rename(*object, old_key, new_key);
  }
  at(*object, "triggers", respell_triggers);
  at(*object, "actions", respell_steps);
  at(*object, "sequence", respell_steps);
  return written;
}

}  // namespace hearth::automation
