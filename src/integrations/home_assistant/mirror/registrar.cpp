// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/mirror/registrar.h"

#include <fmt/format.h>

#include <boost/container_hash/hash.hpp>

#include "base/json/json_fields.h"
#include "base/log/log.h"
#include "core/registry/former_entries.h"
#include "integrations/home_assistant/mirror/connection_sensors.h"
#include "integrations/home_assistant/mirror/texts.h"

namespace hearth::integrations::home_assistant {
namespace {

constexpr std::size_t kMostAbilities = 16 * 1024;  // bytes of JSON

bool is_hexadecimal_id(std::string_view id) {
  return id.size() == 32 && id.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// Of all that the entry here is made of.
std::size_t digest_of(const OtherEntity& entity, const OptionalText& device) {
  std::size_t seed = 0;
  const auto add = [&](const OptionalText& text) {
    boost::hash_combine(seed, text.has_value());
    if (text) boost::hash_combine(seed, *text);
  };
  for (const std::string* const text : {&entity.entity_id, &entity.unique_id, &entity.platform})
    boost::hash_combine(seed, *text);
  for (const OptionalText* const text :
       {&entity.name, &entity.original_name, &entity.icon, &entity.original_icon, &entity.device_class,
        &entity.original_device_class, &entity.area_id, &entity.translation_key, &entity.entity_category,
        &entity.disabled_by, &entity.hidden_by, &device})
    add(*text);
  boost::hash_combine(seed, entity.has_entity_name);
  boost::hash_combine(seed, entity.labels);
  boost::hash_combine(seed, entity.aliases);
  boost::hash_combine(seed, base::to_json(entity.options));
  boost::hash_combine(seed, base::to_json(entity.capabilities));
  return seed;
}

std::unique_ptr<ChosenThere> chosen_there(const OtherEntity& entity) {
  ChosenThere chosen{.name = fitting(entity.name),
                     .icon = fitting(entity.icon),
                     .device_class = fitting(entity.device_class),
                     .area_id = entity.area_id,
                     .hidden_by = entity.hidden_by,
                     .labels = entity.labels,
                     .aliases = entity.aliases,
                     .options = entity.options};
  if (base::to_json(chosen.options).size() > core::Registry::kMaxOptions) chosen.options = {};
  return chosen.empty() ? nullptr : std::make_unique<ChosenThere>(std::move(chosen));
}

bool is_own(const core::RegisteredEntity& entry) {
  return entry.provided && core::provider_of(entry).empty();
}

}  // namespace

void Registrar::set_hub(const OtherHub& hub) {
  origin_ = fit(hub.uuid.empty() ? options_.name : hub.uuid);
}

void Registrar::claim() {
  const auto data = home_.hub.registry.snapshot();
  std::vector<core::Registry::Wanted> wanted;
  for (const auto& [id, entry] : data->entities) {
    if (entry.entry_id != home_.connection->entry_id || entry.provided || is_connection_sensor(entry, options_))
      continue;
    auto parsed = core::EntityId::parse(id);
    if (!parsed) continue;
    core::RegisteredEntity claimed = entry;
    claimed.provider = table_.provider_name();
    claimed.origin = options_.name;
    claimed.hops = 1;
    wanted.push_back({std::move(*parsed), std::move(claimed)});
  }
  if (!wanted.empty()) home_.hub.registry.provide_entities(wanted);
}

MirroredEntity& Registrar::entity_of(const OtherEntity& listed, const MirroredIdentity& identity,
                                     const core::RegisteredEntity* entry) {
  MirroredEntity* const by_id = table_.find(listed.entity_id);
  MirroredEntity* const by_identity = entry ? table_.find_here(entry->entity_id) : nullptr;
  if (!by_identity || by_identity == by_id || by_identity->unique_id != identity.unique_id)
    return by_id ? *by_id : table_.add(listed.entity_id);
  // It has another id there now.
  const std::string former = by_identity->there;
  if (by_id) table_.rename_there(*by_id, "");
  table_.rename_there(*by_identity, listed.entity_id);
  if (by_id) table_.rename_there(*by_id, former);
  return *by_identity;
}

const core::RegisteredEntity* Registrar::former_of(std::string_view there, const core::EntityId& id,
                                                   const core::RegistryData& data) const {
  const MirroredIdentity by_state = identity_of(there, options_);
  const auto is_former = [&](const core::RegisteredEntity* entry) {
    if (!entry || entry->entry_id != home_.connection->entry_id || is_connection_sensor(*entry, options_)) return false;
    if (entry->provided && entry->provider != table_.provider_name()) return false;
    const MirroredEntity* const holder = table_.find_here(entry->entity_id);
    return !holder || holder->there == there;
  };
  const core::RegisteredEntity* entry = data.find_entity(by_state.integration, id.domain(), by_state.unique_id);
  if (is_former(entry)) return entry;
  entry = data.entities.find(id.str());
  return is_former(entry) ? entry : nullptr;
}

core::EntityId Registrar::replace(const core::RegisteredEntity& former, core::RegisteredEntity& wanted) {
  core::EntityId place = core::EntityId::parse(former.entity_id).value();
  const auto disabled_by = wanted.disabled_by;
  core::keep_user_fields(former, wanted);
  if (!wanted.disabled_by) wanted.disabled_by = disabled_by;
  wanted.id = former.id;
  home_.hub.registry.forget_entity(former.id);
  return place;
}

core::RegisteredEntity Registrar::described(const OtherEntity& listed) {
  core::RegisteredEntity entity;
  if (is_hexadecimal_id(listed.id)) entity.id = listed.id;
  entity.entry_id = home_.connection->entry_id;
  entity.provider = table_.provider_name();
  entity.origin = listed.origin ? fitting(listed.origin) : origin_;
  entity.hops = static_cast<std::uint8_t>(listed.hops + 1);
  entity.device_id = devices_.here(listed.device_id);
  entity.original_name = fitting(listed.name ? listed.name : listed.original_name);
  // A name that people gave it there stands alone.
  entity.has_entity_name = listed.has_entity_name && !listed.name && entity.device_id;
  if (entity.original_name && !entity.has_entity_name && !options_.name_prefix.empty())
    entity.original_name = fit(options_.name_prefix + *entity.original_name);
  entity.original_icon = fitting(listed.original_icon);
  entity.original_device_class = fitting(listed.original_device_class);
  entity.translation_key = fitting(listed.translation_key);
  if (listed.entity_category == "config" || listed.entity_category == "diagnostic")
    entity.entity_category = listed.entity_category;
  if (!listed.capabilities.empty() && base::to_json(listed.capabilities).size() <= kMostAbilities)
    entity.abilities = {{"capabilities", listed.capabilities}};
  if (listed.disabled_by) entity.disabled_by = core::ChangedBy::integration;
  return entity;
}

void Registrar::add_chosen(const ChosenThere& chosen, std::string_view domain, core::RegisteredEntity& entity) {
  entity.name = chosen.name;
  if (entity.name && !options_.name_prefix.empty()) entity.name = fit(options_.name_prefix + *entity.name);
  entity.icon = chosen.icon;
  entity.device_class = chosen.device_class;
  entity.area_id = places_.area(chosen.area_id);
  entity.labels = places_.labels(chosen.labels);
  for (const std::string& alias : chosen.aliases) {
    if (!alias.empty() && entity.aliases.size() < core::Registry::kMaxTexts) entity.aliases.insert(fit(alias));
  }
  if (chosen.hidden_by)
    entity.hidden_by = chosen.hidden_by == "user" ? core::ChangedBy::user : core::ChangedBy::integration;
  if (const json::value* const own = chosen.options.if_contains(domain); own && own->is_object())
    entity.options = {{domain, *own}};
}

core::EntityId Registrar::free_id(const core::EntityId& id, const core::RegistryData& data) const {
  const auto taken = [&](std::string_view wanted) {
    return data.entities.contains(wanted) || home_.hub.states.find(wanted);
  };
  if (!taken(id.str())) return id;
  for (int number = 2;; ++number) {
    const auto next = core::EntityId::parse(fmt::format("{}_{}", id.str(), number));
    if (!next) return id;  // too long: the registry says so
    if (!taken(next->str())) return *next;
  }
}

bool Registrar::is_shadowed(const core::EntityId& id, const core::RegisteredEntity* entry, std::string_view there,
                            std::string_view platform, const core::RegistryData& data) const {
  if (!is_local_first(there, platform, options_)) return false;
  if (entry && is_own(*entry)) return true;
  const core::RegisteredEntity* const other = data.entities.find(id.str());
  if (other) return is_own(*other) || other->integration == core::kClientIntegration;
  return home_.hub.states.find(id.str()) != nullptr;
}

void Registrar::leave(MirroredEntity& entity, Fate fate) {
  if (entity.held()) {
    states_.remove(entity);
    home_.hub.registry.release_entity(std::string(entity.here->str()));
  }
  table_.displace(entity);
  entity.fate = fate;
  entity.detail.reset();
}

void Registrar::consider(const OtherEntity& listed, std::uint32_t listing) {
  consider(listed, listing, false);
}

void Registrar::place_rest(std::uint32_t listing) {
  for (const OtherEntity& listed : std::exchange(rest_, {})) {
    consider(listed, listing, true);
    place();
  }
}

void Registrar::consider(const OtherEntity& listed, std::uint32_t listing, bool rest) {
  const auto data = home_.hub.registry.snapshot();
  const auto id = id_here(listed.entity_id, options_);
  MirroredIdentity identity = identity_of(listed, options_);
  const auto* entry = data->find_entity(identity.integration, domain_of(listed.entity_id), identity.unique_id);
  const core::RegisteredEntity* const former = !entry && id ? former_of(listed.entity_id, *id, *data) : nullptr;
  if (former && !rest) {
    rest_.push_back(listed);
    return;
  }
  std::vector<std::string> labels = listed.labels;
  OptionalText area = listed.area_id;
  if (const OtherDevice* const device = listed.device_id ? devices_.find(*listed.device_id) : nullptr) {
    if (!area) area = device->area_id;
    labels.insert(labels.end(), device->labels.begin(), device->labels.end());
  }
  Fate fate = fate_of(listed, area ? std::string_view(*area) : "", labels, options_, home_.hub.config.load()->uuid);
  MirroredEntity& entity = entity_of(listed, identity, entry);
  if (entity.listing == listing) return;  // a second one of that id
  entity.listing = listing;
  const bool was_listed = std::exchange(entity.listed, true);
  const bool registered =
      fate == Fate::mirrored || (fate == Fate::disabled_there && options_.registry == Options::Registry::follow);
  if (!registered && !was_listed && entity.held() && entity.integration == kIntegration) {
    // It was shown before it could be known that it is not to be.
    states_.remove(entity);
    if (const auto* const made = data->entities.find(entity.here->str())) home_.hub.registry.forget_entity(made->id);
    table_.displace(entity);
    entity.fate = fate;
  }
  if (!registered) return leave(entity, fate);
  if (is_shadowed(*id, entry, listed.entity_id, listed.platform, *data)) return leave(entity, Fate::shadowed);
  core::RegisteredEntity wanted = described(listed);
  entity.device_there = listed.device_id;
  const std::size_t digest = digest_of(listed, wanted.device_id);
  if (entity.mirrored() && fate == Fate::mirrored && entity.digest == digest && entity.here) return;
  entity.chosen = chosen_there(listed);
  entity.digest = digest;
  core::EntityId place = *id;
  if (former) {
    place = replace(*former, wanted);
  } else if (!entry) {
    if (entity.chosen) add_chosen(*entity.chosen, id->domain(), wanted);
    place = entity.here && entity.unique_id == identity.unique_id ? *entity.here : free_id(*id, *data);
  } else if (options_.registry == Options::Registry::once && entry->entry_id == home_.connection->entry_id) {
    core::RegisteredEntity known = *entry;
    known.provider = wanted.provider;
    known.origin = wanted.origin;
    known.hops = wanted.hops;
    wanted = std::move(known);
  }
  entity.integration = wanted.integration = identity.integration;
  entity.unique_id = wanted.unique_id = std::move(identity.unique_id);
  placing_.push_back({.entity = &entity,
                      .wanted = {std::move(place), std::move(wanted)},
                      .id = *id,
                      .disabled_there = fate == Fate::disabled_there,
                      .second = identity_of(listed, options_, true)});
}

void Registrar::consider(const std::string& there, const json::object& attributes, bool listing_is_complete) {
  if (table_.find(there)) return;
  const Fate fate = fate_of(there, attributes, options_);
  MirroredEntity& entity = table_.add(there);
  entity.fate = fate;
  if (fate != Fate::mirrored) return;
  const auto data = home_.hub.registry.snapshot();
  const auto id = id_here(there, options_);
  MirroredIdentity identity = identity_of(there, options_);
  const auto* entry = data->find_entity(identity.integration, id->domain(), identity.unique_id);
  if (is_shadowed(*id, entry, there, "", *data)) {
    entity.fate = Fate::shadowed;
    return;
  }
  const core::RegisteredEntity* const former = entry ? nullptr : former_of(there, *id, *data);
  core::RegisteredEntity wanted;
  core::EntityId place = *id;
  if (former && !listing_is_complete) {
    // The registry there cannot be read: it is the entry of earlier runs as it was.
    wanted = *former;
    identity = {former->integration, former->unique_id};
  } else if (former) {
    place = replace(*former, wanted);
  } else if (!entry) {
    place = free_id(*id, *data);
  }
  wanted.entry_id = home_.connection->entry_id;
  wanted.provider = table_.provider_name();
  wanted.origin = origin_;
  wanted.hops = 1;
  entity.integration = wanted.integration = identity.integration;
  entity.unique_id = wanted.unique_id = std::move(identity.unique_id);
  const auto name = base::short_text_at(attributes, "friendly_name");
  if (!wanted.original_name && !name.empty()) wanted.original_name = fit(options_.name_prefix + name);
  placing_.push_back({.entity = &entity, .wanted = {std::move(place), std::move(wanted)}, .id = *id});
}

}  // namespace hearth::integrations::home_assistant
