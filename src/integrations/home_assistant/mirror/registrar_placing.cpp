// SPDX-License-Identifier: Apache-2.0
// How entries are made, released, and taken back.
#include <fmt/format.h>

#include "base/json/json_fields.h"
#include "base/log/log.h"
#include "integrations/home_assistant/mirror/registrar.h"

namespace hearth::integrations::home_assistant {

void Registrar::place() {
  while (!placing_.empty()) {
    std::vector<Placing> all = std::exchange(placing_, {}), second;
    std::vector<core::Registry::Wanted> wanted;
    wanted.reserve(all.size());
    for (const Placing& each : all) wanted.push_back(each.wanted);
    auto entries = home_.hub.registry.provide_entities(wanted);
    for (std::size_t i = 0; i < all.size(); ++i) placed(all[i], entries[i], second);
    placing_ = std::move(second);
  }
}

void Registrar::placed(Placing& placing, base::Result<core::RegisteredEntity>& entry, std::vector<Placing>& second) {
  MirroredEntity& entity = *placing.entity;
  entity.version = 0;
  if (!entry) {
    leave(entity, Fate::invalid);
    entity.detail = entry.error().message;
    return;
  }
  auto here = core::EntityId::parse(entry->entity_id);
  if (!here) return leave(entity, Fate::invalid);
  if (entry->provider != table_.provider_name()) {
    if (!entry->provider.empty() && !placing.again && !placing.second.unique_id.empty()) {
      // Another hub has this identity already.
      entity.integration = placing.wanted.entity.integration = placing.second.integration;
      entity.unique_id = placing.wanted.entity.unique_id = placing.second.unique_id;
      placing.wanted.entity.id.clear();
      placing.again = true;
      const auto data = home_.hub.registry.snapshot();
      if (!data->find_entity(entity.integration, placing.id.domain(), entity.unique_id))
        placing.wanted.id = free_id(placing.id, *data);
      second.push_back(std::move(placing));
      return;
    }
    states_.drop(entity);
    table_.place(entity, std::move(*here));
    entity.fate = Fate::moved;
    entity.detail =
        fmt::format("It is provided by {} now.", entry->provider.empty() ? entry->integration : entry->provider);
    return;
  }
  const bool fresh = !entity.here;
  table_.place(entity, std::move(*here));
  if (placing.disabled_there) {
    if (entity.mirrored()) states_.remove(entity);
    entity.fate = Fate::disabled_there;
    return;
  }
  const auto data = home_.hub.registry.snapshot();
  entity.shown = data->enabled(*entry);
  if (!entity.shown && entry->disabled_by == core::ChangedBy::integration) {
    if (is_replaced(*entry, *data)) {
      entity.fate = Fate::moved;
      return;
    }
    enable(entity, *entry);
  }
  const bool other_id = entity.here->str() != placing.id.str() && !table_.find_here(placing.id.str()) &&
                        (data->entities.contains(placing.id.str()) || home_.hub.states.find(placing.id.str()));
  const bool was = entity.mirrored();
  entity.fate = !entity.shown ? Fate::disabled_here : other_id ? Fate::collision : Fate::mirrored;
  entity.detail.reset();
  if (entity.fate == Fate::collision) {
    entity.detail = fmt::format("{} is another entity here.", placing.id.str());
    if (fresh && !was)
      base::log_warning("home_assistant", "{}: {} is {} here, because there is another {}", options_.name, entity.there,
                        entity.here->str(), placing.id.str());
  }
}

void Registrar::release(MirroredEntity& entity) {
  if (entity.held()) {
    states_.remove(entity);
    home_.hub.registry.release_entity(std::string(entity.here->str()));
  }
  states_.drop(entity);
  table_.erase(entity);
}

std::vector<std::string> Registrar::claimed() const {
  std::vector<std::string> ids;
  const auto data = home_.hub.registry.snapshot();
  for (const auto& [id, entry] : data->entities) {
    if (entry.provider == table_.provider_name() && !table_.find_here(id)) ids.push_back(id);
  }
  return ids;
}

void Registrar::release_unknown() {
  const std::vector<std::string> ids = claimed();
  const core::Texts gone(ids.begin(), ids.end());
  if (gone.empty()) return;
  home_.hub.registry.release_entities(gone);
  const auto context = core::Context::create(home_.hub.clock.now());
  for (const std::string& id : gone) static_cast<void>(home_.hub.states.remove(id, context));
}

bool Registrar::is_replaced(const core::RegisteredEntity& entry, const core::RegistryData& data) const {
  const json::value* const mark = entry.options.if_contains(table_.provider());
  if (!mark || !mark->is_object()) return false;
  return data.find_entity_by_id(base::text_at(mark->get_object(), "moved_to")) != nullptr;
}

void Registrar::enable(MirroredEntity& entity, const core::RegisteredEntity& entry) {
  const auto data = home_.hub.registry.snapshot();
  core::EntityEdit edit;
  edit.disabled_by.emplace();
  if (entry.options.contains(table_.provider())) {
    edit.options.emplace(table_.provider_name(), std::nullopt);
    const auto id = id_here(entity.there, options_);
    if (id && !data->entities.contains(id->str()) && !home_.hub.states.find(id->str())) edit.new_entity_id = id->str();
  }
  const auto edited =
      home_.hub.registry.update_entity(entry.entity_id, std::move(edit), core::Context::create(home_.hub.clock.now()));
  if (!edited) return;
  table_.place(entity, core::EntityId::parse(edited->entity_id).value());
  entity.shown = home_.hub.registry.snapshot()->enabled(*edited);
}

bool Registrar::take_back(MirroredEntity& entity) {
  if (!entity.here || entity.unique_id.empty()) return false;
  const auto data = home_.hub.registry.snapshot();
  const std::string_view domain = entity.here->domain();
  const core::RegisteredEntity* former = data->find_entity(entity.integration, domain, entity.unique_id);
  if (former && former->provided && former->provider != table_.provider_name()) return false;
  if (!former) former = data->removed.find_entity({entity.integration, domain, entity.unique_id});
  core::RegisteredEntity wanted = former ? *former : core::RegisteredEntity();
  wanted.integration = entity.integration;
  wanted.unique_id = entity.unique_id;
  wanted.entry_id = home_.connection->entry_id;
  wanted.provider = table_.provider_name();
  wanted.origin = origin_;
  wanted.hops = 1;
  if (wanted.device_id && !data->devices.contains(*wanted.device_id)) wanted.device_id.reset();
  auto id = id_here(entity.there, options_);
  if (!id) return false;
  entity.digest = 0;
  placing_.push_back({.entity = &entity, .wanted = {*entity.here, std::move(wanted)}, .id = std::move(*id)});
  place();
  return entity.mirrored();
}

}  // namespace hearth::integrations::home_assistant
