// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/mirror/moves.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/json/json_fields.h"
#include "base/log/log.h"
#include "base/text/utf8.h"

namespace hearth::integrations::home_assistant {
namespace {

using base::ErrorCode;

// True if the update changes a field of an entry that its state shows.
bool changes_state(const core::Event& event) {
  const auto* const text = std::get_if<std::string>(&event.data);
  if (!text) return false;
  const auto data = base::parse_json(*text);
  if (!data || !data->is_object()) return false;
  const json::object* const changes = base::value_at(data->get_object(), "changes").if_object();
  constexpr std::array<std::string_view, 4> kShown{"name", "icon", "device_class", "options"};
  return changes && std::ranges::any_of(kShown, [&](std::string_view field) { return changes->contains(field); });
}

bool is_own_entity(const core::RegisteredEntity& entry) {
  return entry.provided && core::provider_of(entry).empty();
}

// The only one of the entities that the device has of this sort; null if there is none, or several.
const core::RegisteredEntity* only_one(const core::RegistryData& data, std::string_view device_id,
                                       const core::RegisteredEntity& like, const auto& counts) {
  const auto* const entities = data.entities_of_device.find(device_id);
  const core::RegisteredEntity* found = nullptr;
  if (!entities) return found;
  for (const auto& [id, entry] : *entities) {
    if (!counts(entry) || entry.domain() != like.domain() || !data.enabled(entry)) continue;
    if (!(entry.original_device_class == like.original_device_class)) continue;
    if (found) return nullptr;
    found = &entry;
  }
  return found;
}

}  // namespace

void Moves::start() {
  updates_ = home_.bus.listen(core::event_type::kEntityRegistryUpdated, [this](const core::Event& event) {
    if (!event.registry_change) return;
    follow(*event.registry_change);
    // Fields that people here choose no more are again as they are there.
    const MirroredEntity* const entity = table_.find_here(event.registry_change->id);
    if (entity && entity->mirrored() && changes_state(event)) link_.tell_again(entity->there);
  });
}

void Moves::stop() {
  updates_ = {};
  settling_ = {};
  settles_ = false;
}

void Moves::follow(const core::RegistryChange& change) {
  const auto data = home_.hub.registry.snapshot();
  MirroredEntity* entity = change.former_entity_id.empty() ? nullptr : table_.find_here(change.former_entity_id);
  if (!entity) entity = table_.find_here(change.id);
  if (entity)
    follow(*entity, *data);
  else
    note_own(change.id, *data);
}

void Moves::follow(MirroredEntity& entity, const core::RegistryData& data) {
  const core::RegisteredEntity* const entry =
      data.find_entity(entity.integration, entity.here->domain(), entity.unique_id);
  if (!entry) return bring_back(entity);
  if (auto here = core::EntityId::parse(entry->entity_id); here && entity.here != *here)
    table_.place(entity, std::move(*here));
  if (entry->provider == table_.provider_name()) {
    const bool enabled = data.enabled(*entry);
    if (enabled && (entity.fate == Fate::disabled_here || entity.fate == Fate::moved)) {
      entity.fate = Fate::mirrored;
      entity.version = 0;
      link_.ask_again();
    } else if (entity.mirrored() && !enabled) {
      entity.fate = Fate::disabled_here;
      states_.drop(entity);
    }
  } else if (entry->provided) {
    if (entity.fate == Fate::moved) return;
    states_.drop(entity);
    entity.fate = Fate::moved;
    entity.detail =
        fmt::format("It is provided by {} now.", entry->provider.empty() ? entry->integration : entry->provider);
    base::log_info("home_assistant", "{}: {} has moved to {}", options_.name, entity.there,
                   entry->provider.empty() ? entry->integration : entry->provider);
  } else if (entity.fate == Fate::moved) {
    bring_back(entity);
  }
}

void Moves::bring_back(MirroredEntity& entity) {
  entity.version = 0;
  if (registrar_.take_back(entity)) link_.ask_again();
}

void Moves::note_own(const std::string& entity_id, const core::RegistryData& data) {
  const core::RegisteredEntity* const entry = data.entities.find(entity_id);
  if (!entry)
    some_went_ = true;
  else if (is_own_entity(*entry) && entry->device_id)
    own_devices_.insert(*entry->device_id);
  else
    return;
  if (std::exchange(settles_, true)) return;
  settling_ = home_.bus.schedule(kSettle, [this] { settle(); });
}

void Moves::settle() {
  settles_ = false;
  for (const std::string& id : std::exchange(own_devices_, {})) {
    const auto data = home_.hub.registry.snapshot();
    if (const core::Device* const device = data->devices.find(id)) take_over(*device);
  }
  if (std::exchange(some_went_, false)) look_for_lost();
}

void Moves::look_again() {
  const auto data = home_.hub.registry.snapshot();
  for (const auto& [id, device] : data->devices) {
    if (device.entry_id != home_.connection->entry_id && !devices_.like(device).empty()) take_over(device);
  }
}

void Moves::take_over(const core::Device& device) {
  const std::string_view there = devices_.like(device);
  if (there.empty()) return;
  const std::string mirrored(table_.device_here(there));
  const std::string own = device.id;
  const auto ours = [&](const core::RegisteredEntity& entry) { return entry.provider == table_.provider_name(); };
  const auto data = home_.hub.registry.snapshot();
  const auto* const entities = data->entities_of_device.find(own);
  if (!entities) return;
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const auto& [id, entry] : *entities) {
    if (!is_own_entity(entry) || only_one(*data, own, entry, is_own_entity) != &entry) continue;
    if (const auto* const from = only_one(*data, mirrored, entry, ours)) pairs.emplace_back(from->entity_id, id);
  }
  for (const auto& [from, to] : pairs) {
    const auto done = adopt(from, to, core::Context::create(home_.hub.clock.now()));
    if (!done) base::log_warning("home_assistant", "{}: {}", options_.name, done.error().message);
  }
}

base::Result<void> Moves::adopt(const std::string& from, const std::string& to, const core::Context& context) {
  MirroredEntity* const entity = table_.find_here(from);
  if (!entity || !entity->mirrored()) {
    return base::fail(ErrorCode::not_found,
                      fmt::format("from: {} is no entity of {} here.", base::utf8_excerpt(from), options_.name));
  }
  const auto data = home_.hub.registry.snapshot();
  const core::RegisteredEntity* const own = data->entities.find(to);
  if (!own) return base::fail(ErrorCode::not_found, fmt::format("to: There is no entity {}.", base::utf8_excerpt(to)));
  if (!is_own_entity(*own))
    return base::fail(ErrorCode::invalid, fmt::format("to: {} is not provided by an integration here.", to));
  states_.drop(*entity);
  const auto taken = home_.hub.registry.replace_entity(from, to, context);
  if (!taken) return std::unexpected(taken.error());
  const auto now = home_.hub.registry.snapshot();
  const auto* const left = now->find_entity(entity->integration, own->domain(), entity->unique_id);
  if (left) table_.place(*entity, core::EntityId::parse(left->entity_id).value());
  entity->fate = Fate::moved;
  entity->detail = fmt::format("{} of {} has taken its place.", from, taken->integration);
  entity->digest = 0;
  return {};
}

void Moves::look_for_lost() {
  std::vector<MirroredEntity*> back;
  const auto data = home_.hub.registry.snapshot();
  for (const auto& [there, entity] : table_.all()) {
    if (entity->fate != Fate::moved || !entity->here) continue;
    const auto* const entry = data->find_entity(entity->integration, entity->here->domain(), entity->unique_id);
    const bool replaced = entry && entry->provider == table_.provider_name() && registrar_.is_replaced(*entry, *data);
    const bool elsewhere = entry && entry->provided && entry->provider != table_.provider_name();
    if (!replaced && !elsewhere) back.push_back(entity.get());
  }
  for (MirroredEntity* const entity : back) bring_back(*entity);
}

}  // namespace hearth::integrations::home_assistant
