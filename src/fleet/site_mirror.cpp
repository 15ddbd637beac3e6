// SPDX-License-Identifier: Apache-2.0
#include "fleet/site_mirror.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/log/log.h"
#include "base/text/utf8.h"
#include "core/client_entity.h"
#include "core/trigger_cause.h"

namespace hearth::fleet {
namespace {

using namespace std::chrono_literals;
using base::Result;
using recorder::TailEntry;

// How long a state that came by another way than the log is believed, if the log tells older ones.
constexpr base::Duration kAhead = 60s;
constexpr std::uint64_t kLoggedRefusals = 10;  // of each site
constexpr std::string_view kLastValue = "last_value";
// The words about an entity that cannot be reached.
constexpr std::array<std::string_view, 6> kLasting{"friendly_name",       "icon",        "device_class",
                                                   "unit_of_measurement", "state_class", "supported_features"};
// Attributes that name entities.
constexpr std::array<std::string_view, 5> kOfEntities{"entity_id", "group_members", "device_trackers", "persons",
                                                      "source"};
// Events that a site may tell of its log; events of a hub's start or stop are its own.
constexpr std::array<std::string_view, 5> kTold{core::event_type::kCallService, "automation_triggered",
                                                "script_started", "scene_activated", "logbook_entry"};

template <std::size_t size>
bool is_one_of(const std::array<std::string_view, size>& all, std::string_view text) {
  return std::ranges::find(all, text) != all.end();
}

// Users of another home are not known here.
core::Context context_of(std::string_view id, std::string_view parent_id, base::Timestamp time) {
  if (id.empty()) return core::Context::create(time);
  core::Context context;
  context.id = base::Id(id);
  if (!parent_id.empty()) context.parent_id = base::Id(parent_id);
  return context;
}

}  // namespace

bool SiteMirror::wants(const BatchHeader& header) const {
  if (past_epochs_.contains(header.epoch)) return false;
  // An empty batch of another history only says that nobody has these numbers any more.
  return header.epoch == epoch_ ? header.until > number_ : header.count > 0;
}

bool SiteMirror::begin_epoch(const std::string& epoch) {
  if (past_epochs_.size() >= kMaxEpochs) {
    refuse("its history", fmt::format("it has had more than {} files of it since the portal started", kMaxEpochs));
    return false;
  }
  if (!epoch_.empty()) past_epochs_.insert(epoch_);
  epoch_ = epoch;
  number_ = 0;
  arriving_ = {};
  for (auto& [id, entity] : entities_) entity.number = 0;
  return true;
}

bool SiteMirror::receive(const Batch& batch, bool late) {
  if (past_epochs_.contains(batch.epoch) || (batch.epoch != epoch_ && batch.entries.empty())) return true;
  bool whole = batch.after <= number_;
  if (batch.epoch != epoch_) {
    if (!begin_epoch(batch.epoch)) return true;
    whole = batch.after == 0;
  }
  std::unordered_map<std::string_view, std::int64_t> last;
  if (late) {
    for (const TailEntry& entry : batch.entries) last[entry.entity_id] = entry.change.number;
  }
  for (const TailEntry& entry : batch.entries) {
    if (entry.change.number <= number_) continue;
    newest_ = std::max(newest_, entry.change.updated);
    if (entry.is_event()) {
      if (!late) fire(entry);
    } else if (!late || last[entry.entity_id] == entry.change.number) {
      apply(entry);
    }
  }
  number_ = std::max(number_, batch.until);
  return whole;
}

SiteMirror::Entity* SiteMirror::find_or_add(std::string_view id_there) {
  const auto found = entities_.find(std::string(id_there));
  if (found != entities_.end()) return &found->second;
  auto there = core::EntityId::parse(id_there);
  if (!there) {
    refuse(id_there, there.error().message);
    return nullptr;
  }
  if (entities_.size() >= kMaxEntities) {
    refuse(id_there, fmt::format("the site has more than {} entities", kMaxEntities));
    return nullptr;
  }
  std::string key(there->str());
  return &entities_.emplace(std::move(key), Entity{.there = std::move(*there)}).first->second;
}

void SiteMirror::apply(const TailEntry& entry) {
  if (entry.change.removed) return remove(entry.entity_id);
  Entity* const entity = find_or_add(entry.entity_id);
  if (!entity || entry.change.number <= entity->number) return;
  entity->number = entry.change.number;
  if (entity->ahead_until != base::SteadyTime{}) {
    const bool older = entry.change.updated <= entity->ahead && hub_.clock.steady_now() < entity->ahead_until;
    if (older) return;
    entity->ahead_until = {};
  }
  set(*entity, {entry.change.value,
                entry.change.attributes,
                {entry.change.changed, entry.change.updated},
                context_of(entry.change.context_id, entry.change.parent_id, entry.change.updated)});
}

void SiteMirror::fire(const TailEntry& entry) {
  if (!is_one_of(kTold, entry.type)) return;
  if (const auto fits = core::check_event_data(entry.data.size(), hub_.limits); !fits)
    return refuse(entry.type, fits.error().message);
  auto data = base::parse_json(entry.data);
  if (!data || !data->is_object()) return refuse(entry.type, "its data is no JSON object");
  json::object& object = data->get_object();
  for (auto& [key, value] : object) value = with_ids_here(key, value);
  if (entry.type == "automation_triggered") {
    core::rename_trigger_entity(object, [this](std::string_view id) -> std::optional<std::string> {
      const auto there = core::EntityId::parse(id);
      return there ? std::optional(id_here(*there)) : std::nullopt;
    });
  }
  object["site"] = site_;
  hub_.bus.fire(entry.type, base::to_json(object), core::Origin::remote,
                context_of(entry.change.context_id, entry.change.parent_id, entry.change.updated));
}

bool SiteMirror::receive(const SnapshotPart& part) {
  if (past_epochs_.contains(part.states.epoch)) return true;
  if (part.states.epoch != epoch_ && !begin_epoch(part.states.epoch)) return true;
  if (part.as_of < arriving_.as_of) return false;
  if (part.as_of > arriving_.as_of || arriving_.parts.contains(part.part)) arriving_ = {part.as_of, {}, {}};
  arriving_.parts.insert(part.part);
  const auto believed = hub_.clock.steady_now() + kAhead;
  for (const TailEntry& entry : part.states.entries) {
    Entity* const entity = find_or_add(entry.entity_id);
    if (!entity) continue;
    arriving_.entities.insert(std::string(entry.entity_id));
    // The log may be ahead of a snapshot that was on its way.
    if (entity->number > part.as_of) continue;
    if (entity->ahead_until != base::SteadyTime{} && entity->ahead > entry.change.updated) continue;
    entity->number = part.as_of;
    entity->ahead = entry.change.updated;
    entity->ahead_until = believed;
    newest_ = std::max(newest_, entry.change.updated);
    set(*entity, {entry.change.value,
                  entry.change.attributes,
                  {entry.change.changed, entry.change.updated},
                  context_of(entry.change.context_id, entry.change.parent_id, entry.change.updated)});
  }
  if (arriving_.parts.size() < part.parts) return false;
  std::vector<std::string> gone;
  for (const auto& [id, entity] : entities_) {
    if (!arriving_.entities.contains(id) && entity.number <= part.as_of) gone.push_back(id);
  }
  for (const std::string& id : gone) remove(id);
  number_ = std::max(number_, part.as_of);
  arriving_.entities.clear();
  return true;
}

void SiteMirror::receive(const SiteRegistry& registry) {
  if (auto taken = registry_.receive(registry); !taken) refuse("its registry", taken.error().message);
}

void SiteMirror::receive(const std::vector<ChangedState>& changed) {
  for (const ChangedState& state : changed) {
    const auto found = entities_.find(state.entity_id);
    if (found == entities_.end()) continue;
    Entity& entity = found->second;
    const bool known = entity.ahead_until != base::SteadyTime{} && entity.ahead >= state.times.last_updated;
    if (known) continue;
    if (!find_place(entity)) continue;
    const auto shown = hub_.states.find(entity.here->str());
    if (shown && shown->last_updated() >= state.times.last_updated) continue;  // the log was quicker
    entity.ahead = state.times.last_updated;
    entity.ahead_until = hub_.clock.steady_now() + kAhead;
    set(entity, {state.value, state.attributes_json, state.times,
                 context_of(state.context.id.str(), state.context.parent_id ? state.context.parent_id->str() : "",
                            state.times.last_updated)});
  }
}

json::value SiteMirror::with_ids_here(std::string_view key, const json::value& value) const {
  if (!is_one_of(kOfEntities, key)) return value;
  if (const auto* const list = value.if_array()) {
    json::array made;
    for (const json::value& each : *list) made.push_back(with_ids_here(key, each));
    return made;
  }
  const auto there = value.is_string() ? core::EntityId::parse(std::string_view(value.get_string()))
                                       : base::fail(base::ErrorCode::invalid, "");
  return there ? json::value(id_here(*there)) : value;
}

std::string SiteMirror::id_here(const core::EntityId& there) const {
  const auto data = hub_.registry.snapshot();
  const auto* const known =
      data->find_entity(core::kFleetIntegration, there.domain(), fmt::format("{}.{}", site_, there.str()));
  return known ? known->entity_id : fmt::format("{}.{}_{}", there.domain(), site_, there.object_id());
}

Result<void> SiteMirror::take_attributes(Entity& entity, std::string_view given) {
  if (entity.attributes == given && !given.empty()) return {};
  if (auto fits = core::check_attributes(given.size(), hub_.limits); !fits) return fits;
  const std::size_t all = attributes_ - entity.attributes.size() + given.size();
  if (all > kMaxAttributes) {
    return base::fail(base::ErrorCode::full, fmt::format("the attributes of the site's entities are more than {}",
                                                         core::bytes_text(kMaxAttributes)));
  }
  auto parsed = base::parse_json(given);
  if (!parsed || !parsed->is_object()) return base::fail(base::ErrorCode::invalid, "its attributes are no JSON object");
  for (auto& [key, value] : parsed->get_object()) value = with_ids_here(key, value);
  attributes_ = all;
  entity.attributes = given;
  entity.shown_attributes = base::to_json(parsed->get_object());
  if (entity.shown_attributes == given) entity.shown_attributes = {};
  return {};
}

void SiteMirror::set(Entity& entity, const Change& change) {
  const auto length = base::utf8_length(change.value);
  if (!length || *length > core::StateMachine::kMaxValueLength)
    return refuse(entity.there.str(), "its state is too long, or no text");
  if (const auto taken = take_attributes(entity, change.attributes); !taken)
    return refuse(entity.there.str(), taken.error().message);
  if (!find_place(entity)) return;
  const std::string& shown = entity.shown_attributes.empty() ? entity.attributes : entity.shown_attributes;
  const Change checked{change.value, shown, change.times, change.context};
  if (reachable_) return show(entity, checked);
  entity.held = core::State::create(*entity.here, checked.value, checked.attributes, checked.times, checked.context);
}

bool SiteMirror::find_place(Entity& entity) {
  auto data = hub_.registry.snapshot();
  if (entity.here && entity.version == data->version) return true;
  const auto* registered = entity.here ? data->entities.find(entity.here->str()) : nullptr;
  if (!registered || !registry_.is_it(*registered, entity.there)) {
    auto here = registry_.entity(entity.there);
    if (!here) {
      refuse(entity.there.str(), here.error().message);
      return false;
    }
    data = hub_.registry.snapshot();
    registered = data->entities.find(here->str());
    entity.here.emplace(std::move(*here));
  }
  entity.shown = registered && data->enabled(*registered);
  entity.overridden =
      registered && (registered->name || registered->icon || registered->device_class || !registered->options.empty());
  entity.version = data->version;
  return true;
}

void SiteMirror::show(Entity& entity, const Change& change) {
  if (!entity.shown) return;
  core::StateMachine::Write write{
      .value = change.value, .attributes_json = change.attributes, .context = change.context, .times = change.times};
  core::ShownState made;
  const auto data = entity.overridden ? hub_.registry.snapshot() : nullptr;
  if (const auto* const registered = data ? data->entities.find(entity.here->str()) : nullptr) {
    made = core::overridden(*registered, change.value, change.attributes);
    write.value = made.value;
    write.attributes_json = made.attributes_json;
  }
  const auto before = hub_.states.find(entity.here->str());
  // A state that is written again is news there; one that is there already is none.
  write.force_update = before && before->last_updated() != change.times.last_updated;
  if (auto written = hub_.states.set(*entity.here, std::move(write)); !written)
    refuse(entity.there.str(), written.error().message);
}

void SiteMirror::remove(std::string_view id_there) {
  const auto found = entities_.find(std::string(id_there));
  if (found == entities_.end()) return;
  if (const auto here = registry_.entity(found->second.there))
    static_cast<void>(hub_.states.remove(here->str(), core::Context::create(hub_.clock.now())));
  attributes_ -= found->second.attributes.size();
  entities_.erase(found);
}

void SiteMirror::set_reachable(bool reachable) {
  if (std::exchange(reachable_, reachable) == reachable) return;
  for (auto& [id, entity] : entities_) {
    if (!find_place(entity)) continue;
    if (reachable) {
      if (const auto held = std::exchange(entity.held, nullptr)) {
        show(entity,
             {held->value(), held->attributes_json(), {held->last_changed(), held->last_updated()}, held->context()});
      }
      continue;
    }
    const core::StatePtr state = hub_.states.find(entity.here->str());
    if (!state) continue;
    entity.held = state;
    json::object attributes;
    const json::object all = state->attributes();
    for (const std::string_view key : kLasting) {
      if (const json::value* const value = all.if_contains(key)) attributes[key] = *value;
    }
    if (state->value() != core::kUnavailable) attributes[kLastValue] = state->value();
    const std::string text = base::to_json(attributes);
    const auto written = hub_.states.set(
        *entity.here,
        {.value = core::kUnavailable, .attributes_json = text, .context = core::Context::create(hub_.clock.now())});
    if (!written) refuse(id, written.error().message);
  }
}

Result<void> SiteMirror::forget() {
  entities_.clear();
  attributes_ = 0;
  epoch_.clear();
  number_ = 0;
  arriving_ = {};
  return registry_.forget();
}

void SiteMirror::know(const core::EntityId& there) {
  static_cast<void>(find_or_add(there.str()));
}

void SiteMirror::refuse(std::string_view what, std::string_view why) {
  if (++refused_ <= kLoggedRefusals) {
    base::log_warning("fleet", "{} of {} is left out: {}{}", base::utf8_excerpt(what), site_, why,
                      refused_ == kLoggedRefusals ? " (what else is left out of this site is only counted)" : "");
  }
}

}  // namespace hearth::fleet
