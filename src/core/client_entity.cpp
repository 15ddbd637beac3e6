// SPDX-License-Identifier: Apache-2.0
#include "core/client_entity.h"

#include <fmt/format.h>

#include "base/text/utf8.h"
#include "core/values/units.h"

namespace hearth::core {
namespace {

using base::ErrorCode;
using base::Result;

constexpr std::string_view kUnit = "unit_of_measurement", kFriendlyName = "friendly_name";

// The same in each run, because clients may keep it (FNV-1a, 64 bits, twice).
std::string id_of(std::string_view entity_id, int attempt) {
  std::uint64_t halves[] = {0xcbf29ce484222325, 0x84222325cbf29ce4};
  for (std::uint64_t& half : halves) {
    half += static_cast<std::uint64_t>(attempt);
    for (const char c : entity_id) half = (half ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  }
  return fmt::format("{:016x}{:016x}", halves[0], halves[1]);
}

OptionalText text_in(const json::object& attributes, std::string_view key) {
  const json::value* const value = attributes.if_contains(key);
  if (!value || !value->is_string() || value->get_string().empty()) return {};
  return std::string(value->get_string());
}

json::object parsed(std::string_view attributes_json) {
  const auto value = base::parse_json(attributes_json);
  return value && value->is_object() ? value->get_object() : json::object();
}

ShownState shown(const RegisteredEntity& entity, std::string_view value, std::string_view attributes_json,
                 bool original_too) {
  json::object attributes = parsed(attributes_json);
  const auto put = [&](std::string_view key, const OptionalText& own, const OptionalText& original) {
    if (own)
      attributes[key] = *own;
    else if (original_too && original && (key != kFriendlyName || !entity.has_entity_name))
      attributes[key] = *original;
    else if (original_too && provider_of(entity).empty())  // a provider's state has more than its entry
      attributes.erase(key);
  };
  put(kFriendlyName, entity.name, entity.original_name);
  put("icon", entity.icon, entity.original_icon);
  put("device_class", entity.device_class, entity.original_device_class);
  ShownState made{std::string(value), {}};
  convert_to(wanted_unit(entity), made.value, attributes);
  made.attributes_json = base::to_json(attributes);
  return made;
}

// The client's attributes, where the user's own do not hide them.
void take_originals(RegisteredEntity& entity, const State& state) {
  const json::object attributes = state.attributes();
  if (!entity.name) entity.original_name = text_in(attributes, "friendly_name");
  if (!entity.icon) entity.original_icon = text_in(attributes, "icon");
  if (!entity.device_class) entity.original_device_class = text_in(attributes, "device_class");
}

Result<void> check_unit(const EntityEdit& edit, const State* state) {
  if (!edit.options || edit.options->first != "sensor" || !edit.options->second || !state) return {};
  const OptionalText wanted = text_in(*edit.options->second, kUnit), now = text_in(state->attributes(), kUnit);
  if (!wanted || wanted == now) return {};
  if (!now) {
    return base::fail(ErrorCode::invalid, fmt::format("options.{}: {} has no unit", kUnit, state->entity_id()));
  }
  if (convert_unit(0, *now, *wanted)) return {};
  const auto like = units_like(*now);
  return base::fail(ErrorCode::invalid,
                    fmt::format("options.{}: expected {}, got {}", kUnit,
                                like.empty() ? fmt::format("{}, which is converted to no other", *now)
                                             : fmt::format("one of {}", fmt::join(like, ", ")),
                                base::utf8_excerpt(*wanted)));
}

std::unexpected<base::Error> state_is_elsewhere(const RegisteredEntity& entity) {
  const std::string_view site = site_of(entity);
  const std::string who = site.empty() ? std::string(provider_of(entity)) : fmt::format("the site {}", site);
  return base::fail(ErrorCode::conflict,
                    fmt::format("{} is provided by {}: its state is written there.", entity.entity_id, who));
}

}  // namespace

RegisteredEntity client_entry(const State& state, const RegistryData& registry) {
  RegisteredEntity entity;
  for (int attempt = 0; entity.id.empty() || registry.find_entity_by_id(entity.id); ++attempt)
    entity.id = id_of(state.entity_id(), attempt);
  entity.entity_id = state.entity_id();
  entity.unique_id = entity.id;
  entity.integration = kClientIntegration;
  entity.created_at = entity.modified_at = state.last_changed();
  take_originals(entity, state);
  return entity;
}

std::string_view wanted_unit(const RegisteredEntity& entity) {
  if (entity.options.empty() || entity.domain() != "sensor") return {};
  const json::value* const options = entity.options.if_contains("sensor");
  const json::value* const unit = options && options->is_object() ? options->get_object().if_contains(kUnit) : nullptr;
  return unit && unit->is_string() ? std::string_view(unit->get_string()) : std::string_view();
}

void convert_to(std::string_view unit, std::string& value, json::object& attributes) {
  const json::value* const now = unit.empty() ? nullptr : attributes.if_contains(kUnit);
  if (!now || !now->is_string() || now->get_string() == unit) return;
  const bool without = value == kUnavailable || value == kUnknown;
  auto converted = convert_unit_of(without ? "0" : std::string_view(value), now->get_string(), unit);
  if (!converted) return;
  if (!without) value = std::move(*converted);
  attributes[kUnit] = unit;
}

ShownState overridden(const RegisteredEntity& entity, std::string_view value, std::string_view attributes_json) {
  return shown(entity, value, attributes_json, false);
}

ShownState shown_again(const RegisteredEntity& entity, std::string_view value, std::string_view attributes_json) {
  return shown(entity, value, attributes_json, true);
}

Result<StateMachine::Written> set_client_state(Hub& hub, const EntityId& id, StateMachine::Write write) {
  const auto registry = hub.registry.snapshot();
  const RegisteredEntity* const entity = registry->entities.find(id.str());
  if (entity && !provider_of(*entity).empty()) return state_is_elsewhere(*entity);
  if (!entity || entity->integration != kClientIntegration) return hub.states.set(id, std::move(write));
  const ShownState made = overridden(*entity, write.value, write.attributes_json);
  write.value = made.value;
  write.attributes_json = made.attributes_json;
  return hub.states.set(id, std::move(write));
}

Result<RegisteredEntity> update_entity(Hub& hub, const std::string& entity_id, EntityEdit edit,
                                       const Context& context) {
  const auto registry = hub.registry.snapshot();
  const RegisteredEntity* const known = registry->entities.find(entity_id);
  const StatePtr state = hub.states.find(entity_id);
  if (auto fits = check_unit(edit, state.get()); !fits) return std::unexpected(fits.error());
  if (edit.new_entity_id) {
    const auto id = EntityId::parse(*edit.new_entity_id);
    if (id && id->str() != entity_id && hub.states.find(id->str())) {
      return base::fail(ErrorCode::conflict, fmt::format("new_entity_id: there is an entity {} already", id->str()));
    }
  }
  if (known ? known->integration != kClientIntegration : !state)
    return hub.registry.update_entity(entity_id, std::move(edit), context);
  if (edit.disabled_by && *edit.disabled_by) {
    return base::fail(ErrorCode::invalid, "disabled_by: clients write this entity; it can be hidden or removed");
  }
  RegisteredEntity entity = known ? *known : client_entry(*state, *registry);
  if (known && state) take_originals(entity, *state);
  return hub.registry.update_entity(entity_id, std::move(edit), context, &entity);
}

Result<void> remove_entity(Hub& hub, const std::string& entity_id, const Context& context) {
  const auto registry = hub.registry.snapshot();
  if (registry->entities.contains(entity_id)) return hub.registry.remove_entity(entity_id, context);
  const auto removed = hub.states.remove(entity_id, context, IfFull::fail);
  if (!removed) return std::unexpected(removed.error());
  return {};
}

}  // namespace hearth::core
