// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/mirror/state_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_set>

#include "base/json/json_fields.h"
#include "base/log/log.h"
#include "core/client_entity.h"
#include "integrations/home_assistant/mirror/texts.h"

namespace hearth::integrations::home_assistant {
namespace {

constexpr std::string_view kName = "friendly_name", kLast = "last_value";
// Attributes of an entity that cannot be reached, beside its capabilities.
constexpr std::array<std::string_view, 8> kSteady{"friendly_name", "icon",    "device_class", "unit_of_measurement",
                                                  "state_class",   "options", "restored",     "supported_features"};
constexpr std::size_t kLoggedRefusals = 10;
constexpr std::size_t kLongestId = 255;
// A time there that is later than this comes from a clock that is ahead.
constexpr base::Duration kAhead = std::chrono::seconds(1);

bool is_steady(std::string_view key, const core::RegisteredEntity* registered) {
  if (std::ranges::find(kSteady, key) != kSteady.end()) return true;
  const json::value* const can = registered ? registered->abilities.if_contains("capabilities") : nullptr;
  return can && can->is_object() && can->get_object().contains(key);
}

}  // namespace

bool StateWriter::look(MirroredEntity& entity, const core::RegistryData& data) const {
  if (entity.version == data.version) return entity.mirrored() && entity.shown;
  if (!entity.mirrored() || !entity.here) return false;
  const auto is_it = [&](const core::RegisteredEntity* entry) {
    return entry && entry->provider == table_.provider_name() && entry->unique_id == entity.unique_id &&
           entry->integration == entity.integration;
  };
  const core::RegisteredEntity* entry = data.entities.find(entity.here->str());
  if (!is_it(entry)) {
    entry = data.find_entity(entity.integration, entity.here->domain(), entity.unique_id);
    if (!is_it(entry)) return false;  // the registry's event says more
    table_.place(entity, core::EntityId::parse(entry->entity_id).value());
  }
  entity.shown = data.enabled(*entry);
  entity.overridden = entry->name || entry->icon || entry->device_class || !entry->options.empty();
  entity.version = data.version;
  return entity.shown;
}

void StateWriter::take(MirroredEntity& entity, OtherState state) {
  if (entity.waiting == 0) {
    if (const auto context = contexts_.context_of(entity.there, state.context, false))
      return write(entity, state, *context);
  }
  ++entity.waiting;
  waiting_.push_back({&entity, std::move(state), home_.hub.clock.steady_now() + kContextWait});
  if (waiting_.size() == 1) timer_ = home_.bus.schedule(kContextWait, [this] { write_known(); });
}

void StateWriter::write_known() {
  if (waiting_.empty()) return;
  const auto now = home_.hub.clock.steady_now();
  std::unordered_set<const MirroredEntity*> blocked;
  std::deque<Waiting> still;
  for (Waiting& each : waiting_) {
    std::optional<core::Context> context;
    if (!blocked.contains(each.entity))
      context = contexts_.context_of(each.entity->there, each.state.context, each.until <= now);
    if (!context) {
      blocked.insert(each.entity);
      still.push_back(std::move(each));
      continue;
    }
    --each.entity->waiting;
    write(*each.entity, each.state, *context);
  }
  waiting_ = std::move(still);
  timer_ = waiting_.empty() ? core::Timer()
                            : home_.bus.schedule(std::max(waiting_.front().until - now, base::Duration(0)),
                                                 [this] { write_known(); });
}

void StateWriter::flush(MirroredEntity& entity) {
  if (entity.waiting == 0) return;
  for (Waiting& each : waiting_) {
    if (each.entity != &entity) continue;
    if (const auto context = contexts_.context_of(entity.there, each.state.context, true))
      write(entity, each.state, *context);
  }
  drop(entity);
}

void StateWriter::drop(MirroredEntity& entity) {
  if (std::exchange(entity.waiting, 0) > 0)
    std::erase_if(waiting_, [&](const Waiting& each) { return each.entity == &entity; });
}

void StateWriter::translate(json::value& value) const {
  if (json::string* const text = value.if_string()) {
    if (text->size() > kLongestId || text->find('.') == json::string::npos) return;
    const std::string_view here = table_.entity_here(std::string_view(*text));
    if (!here.empty() && here != std::string_view(*text)) *text = here;
  } else if (json::array* const list = value.if_array()) {
    for (json::value& each : *list) {
      if (each.is_string()) translate(each);
    }
  }
}

base::Timestamp StateWriter::past(base::Timestamp time) const {
  const base::Timestamp now = home_.hub.clock.coarse_now();
  return time > now + kAhead ? now : time;
}

core::State::Times StateWriter::times_here(const core::EntityId& id, const OtherState& state) const {
  core::State::Times times{past(state.last_changed), past(state.last_updated)};
  const core::StatePtr before = home_.hub.states.find(id.str());
  if (before && times.last_updated <= before->last_updated())
    times.last_updated = std::max(home_.hub.clock.now(), before->last_updated() + base::Duration(1));
  return times;
}

std::string StateWriter::attributes_here(const MirroredEntity& entity, json::object& attributes) const {
  if (attributes.contains("entity_picture") || attributes.contains("access_token")) {
    if (pictures_) {
      pictures_->rewrite(entity.there, entity.here->str(), attributes);
    } else {
      attributes.erase("entity_picture");
      attributes.erase("access_token");
    }
  }
  if (!options_.name_prefix.empty()) {
    if (json::value* const name = attributes.if_contains(kName); name && name->is_string())
      *name = fit(options_.name_prefix + std::string(name->get_string()));
  }
  if (table_.translates()) {
    for (auto& [key, value] : attributes) {
      if (key != "entity_picture" && key != kName) translate(value);
    }
  }
  return base::to_json(attributes);
}

void StateWriter::write(MirroredEntity& entity, OtherState& state, const core::Context& context) {
  const auto data = home_.hub.registry.snapshot();
  if (!look(entity, *data)) return;
  std::string attributes = attributes_here(entity, state.attributes);
  std::string value = std::move(state.value);
  if (entity.overridden) {
    if (const auto* const registered = data->entities.find(entity.here->str())) {
      core::ShownState made = core::overridden(*registered, value, attributes);
      value = std::move(made.value);
      attributes = std::move(made.attributes_json);
    }
  }
  core::StateMachine::Write write{.value = value, .attributes_json = attributes, .context = context};
  write.times = times_here(*entity.here, state);
  write.by_connection = entity.lost;
  const auto written = home_.hub.states.set(*entity.here, std::move(write));
  if (!written) return refuse(entity, written.error().message);
  entity.lost = false;
  if (std::exchange(entity.refused, false)) entity.detail.reset();
  contexts_.reported(entity.there, state.context);
}

void StateWriter::refuse(MirroredEntity& entity, std::string why) {
  if (++refused_ <= kLoggedRefusals)
    base::log_warning("home_assistant", "{}: the state of {} is not shown: {}", options_.name, entity.there, why);
  entity.detail = std::move(why);
  entity.refused = true;
  show_lost(entity, false);
}

void StateWriter::show_unavailable(MirroredEntity& entity, bool by_connection) {
  flush(entity);
  show_lost(entity, by_connection);
}

void StateWriter::show_lost(MirroredEntity& entity, bool by_connection) {
  const auto data = home_.hub.registry.snapshot();
  if (!look(entity, *data)) return;
  if (show_unavailable(*entity.here, by_connection)) entity.lost = by_connection;
}

bool StateWriter::show_unavailable(const core::EntityId& id, bool by_connection) {
  const auto data = home_.hub.registry.snapshot();
  const core::StatePtr state = home_.hub.states.find(id.str());
  if (state && state->value() == core::kUnavailable) return false;
  const core::RegisteredEntity* const registered = data->entities.find(id.str());
  if (!registered || !data->enabled(*registered)) return false;
  json::object attributes;
  if (state) {
    for (auto& [key, value] : state->attributes()) {
      if (is_steady(key, registered)) attributes[key] = std::move(value);
    }
    attributes[kLast] = state->value();
  } else {
    attributes[kName] = data->friendly_name(*registered);
  }
  const std::string text = base::to_json(attributes);
  core::StateMachine::Write write{
      .value = core::kUnavailable, .attributes_json = text, .context = core::Context::create(home_.hub.clock.now())};
  write.by_connection = by_connection;
  return home_.hub.states.set(id, std::move(write)).has_value();
}

void StateWriter::remove(MirroredEntity& entity) {
  drop(entity);
  if (!entity.here) return;
  static_cast<void>(home_.hub.states.remove(entity.here->str(), core::Context::create(home_.hub.clock.now())));
}

}  // namespace hearth::integrations::home_assistant
