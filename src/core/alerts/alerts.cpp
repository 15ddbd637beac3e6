// SPDX-License-Identifier: Apache-2.0
#include "core/alerts/alerts.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "base/json/json.h"
#include "base/text/timestamp.h"
#include "core/alerts/snoozes.h"

namespace hearth::core {
namespace {

// A device's parts go and come one after the other: it is looked at when that is over.
constexpr base::Duration kSettling = std::chrono::milliseconds(200);

std::string device_key(std::string_view id) {
  std::string key("device:");  // no id of an entity has a colon
  key += id;
  return key;
}

std::string alert_id(std::string_view kind, std::string_view id) {
  std::string text(kind);
  text += '.';
  text += id;
  return text;
}

std::vector<std::string> members_of(const State& state) {
  std::vector<std::string> members;
  if (state.attributes_json().find(R"("entity_id":[)") == std::string_view::npos) return members;
  const json::object attributes = state.attributes();
  const json::value* const list = attributes.if_contains("entity_id");
  if (!list || !list->is_array()) return members;
  for (const json::value& member : list->get_array())
    if (member.is_string()) members.emplace_back(member.get_string());
  return members;
}

// A person who switches it off, or carries it away, knows.
bool is_often_away(std::string_view domain) {
  return domain == "media_player" || domain == "remote" || domain == "device_tracker";
}

bool is_battery(const RegisteredEntity& entity, const State& state) {
  if (entity.device_class.has_value() ? *entity.device_class == "battery" : entity.original_device_class == "battery")
    return true;
  return state.attributes_json().find(R"("device_class":"battery")") != std::string_view::npos;
}

// When the last part of the device went, and one of its parts; null if the device answers or may be silent.
struct Silence {
  const RegisteredEntity* entity = nullptr;
  base::Timestamp since = {};
};

Silence silence_of(const RegistryData& registry, const StateTable& states, std::string_view device_id) {
  const Device* const device = registry.devices.find(device_id);
  const auto* const parts = registry.entities_of_device.find(device_id);
  if (!device || device->disabled_by || !parts) return {};
  Silence silence;
  for (const auto& [id, entity] : *parts) {
    const StatePtr state = entity.disabled_by ? nullptr : states.find(id);
    if (!state) continue;
    if (state->value() != kUnavailable || is_often_away(entity.domain()) || is_battery(entity, *state)) return {};
    silence.since = std::max(silence.since, state->last_changed());
    const bool speaks = !entity.hidden_by && !entity.entity_category;
    if (speaks && (!silence.entity || id < silence.entity->entity_id)) silence.entity = &entity;
  }
  return silence;
}

}  // namespace

std::string alert_area(const RegistryData& registry, const RegisteredEntity* entity) {
  const Area* const area = entity ? registry.area_of(*entity) : nullptr;
  return area ? area->id : "";
}

std::string alert_event(std::string_view action, const Alert& alert) {
  json::object data{{"action", action},
                    {"alert_id", alert.id},
                    {"kind", alert.rule->kind},
                    {"grade", to_string(alert.rule->grade)},
                    {"entity_id", alert.entity_id},
                    {"device_id", nullptr},
                    {"area_id", nullptr},
                    {"since", base::to_string(alert.since)}};
  if (!alert.device_id.empty()) data["device_id"] = alert.device_id;
  if (!alert.area_id.empty()) data["area_id"] = alert.area_id;
  return base::to_json(data);
}

void Alerts::start() {
  const auto registry = registry_.snapshot();
  states_.snapshot()->for_each([&](const State& state) {
    look_at(state.entity_id(), &state);
    if (state.value() != kUnavailable) return;
    const RegisteredEntity* const entity = registry->entities.find(state.entity_id());
    if (entity && entity->device_id) devices_.insert(*entity->device_id);
  });
  look_at_devices();
  publish();
  subscription_ =
      bus_.listen({{std::string(event_type::kStateChanged), std::string(event_type::kEntityRegistryUpdated),
                    std::string(event_type::kDeviceRegistryUpdated), std::string(event_type::kCollectionUpdated)}},
                  *this, Pace::relaxed);
  wait_for_snoozes();
}

void Alerts::on_event(const EventPtr& event) {
  if (event->by_client) return;
  if (const StateChange* const change = event->state_change()) return on_state(*change);
  const RegistryChange* const change = event->registry_change.get();
  if (!change) return;
  if (change->collection == kAlertSnoozes) return wait_for_snoozes();
  if (event->type == event_type::kDeviceRegistryUpdated) {
    look_at_later(change->id);
    // A device that is disabled or enabled takes its entities with it.
    if (const auto registry = registry_.snapshot(); const auto* parts = registry->entities_of_device.find(change->id))
      for (const auto& [id, entity] : *parts) look_at(id, states_.find(id).get());
  } else if (event->type == event_type::kEntityRegistryUpdated) {
    if (const std::string& former = change->former_entity_id; !former.empty())
      look_at(former, states_.find(former).get());
    look_at(change->id, states_.find(change->id).get());
    const auto registry = registry_.snapshot();
    if (const RegisteredEntity* const entity = registry->entities.find(change->id); entity && entity->device_id)
      look_at_later(*entity->device_id);
    silent_too_ = true;  // the event does not tell the device that the entity belonged to before
    settle();
  }
}

void Alerts::on_state(const StateChange& change) {
  look_at(change.entity_id(), change.new_state.get());
  const auto is_away = [](const StatePtr& state) { return state && state->value() == kUnavailable; };
  if (change.old_state && change.new_state && is_away(change.old_state) == is_away(change.new_state)) return;
  const auto registry = registry_.snapshot();
  const RegisteredEntity* const entity = registry->entities.find(change.entity_id());
  if (entity && entity->device_id) look_at_later(*entity->device_id);
}

void Alerts::look_at(std::string_view entity_id, const State* state) {
  const AlertRule* rule = state ? alert_rule_of(*state) : nullptr;
  const auto known = entries_.empty() ? entries_.end() : entries_.find(entity_id);
  if (!rule && known == entries_.end()) return;
  const auto registry = registry_.snapshot();
  const RegisteredEntity* const entity = registry->entities.find(entity_id);
  if (rule && entity &&
      (entity->hidden_by || !registry->enabled(*entity) || (rule->primary_only && entity->entity_category)))
    rule = nullptr;
  if (!rule) return known == entries_.end() ? void() : end(known);
  put(std::string(entity_id),
      {.rule = rule,
       .id = alert_id(rule->kind, entity ? std::string_view(entity->id) : entity_id),
       .entity_id = std::string(entity_id),
       .device_id = entity ? entity->device_id.value_or("") : "",
       .area_id = alert_area(*registry, entity),
       .members = members_of(*state)},
      state->last_changed());
}

void Alerts::look_at_later(std::string_view device_id) {
  if (!devices_.contains(device_id)) devices_.emplace(device_id);
  settle();
}

void Alerts::settle() {
  if (std::exchange(settles_, true)) return;
  devices_timer_ = bus_.schedule(kSettling, [this] { look_at_devices(); });
}

void Alerts::look_at_devices() {
  settles_ = false;
  if (std::exchange(silent_too_, false)) {
    for (const auto& [key, entry] : entries_)
      if (entry.alert->rule == &kSilentDeviceRule) devices_.insert(entry.alert->device_id);
  }
  for (const std::string& id : std::exchange(devices_, {})) look_at_device(id);
}

void Alerts::look_at_device(const std::string& device_id) {
  const auto registry = registry_.snapshot();
  const auto states = states_.snapshot();
  const Silence silence = silence_of(*registry, *states, device_id);
  if (!silence.entity) {
    if (const auto known = entries_.find(device_key(device_id)); known != entries_.end()) end(known);
    return;
  }
  const AlertRule& rule = kSilentDeviceRule;
  put(device_key(device_id),
      {.rule = &rule,
       .id = alert_id(rule.kind, device_id),
       .entity_id = silence.entity->entity_id,
       .device_id = device_id,
       .area_id = alert_area(*registry, silence.entity)},
      silence.since);
}

void Alerts::put(std::string key, Alert alert, base::Timestamp changed) {
  const base::Timestamp now = clock_.now();
  alert.since = std::min(changed, now);
  auto known = entries_.find(key);
  if (known != entries_.end() && known->second.alert->rule == alert.rule) {
    Entry& entry = known->second;
    alert.since = entry.alert->since;  // a battery that is lower still has been low since then
    if (alert == *entry.alert) return;
    entry.alert = std::make_shared<const Alert>(std::move(alert));
    if (entry.stage != Stage::waiting) tell(entry.alert->rule->grade);
    return;
  }
  if (known != entries_.end()) end(known);
  const base::Duration age = now - alert.since, patience = alert.rule->patience;
  const bool may_last = alert.rule == &kSilentDeviceRule;
  known = entries_.emplace(std::move(key), Entry{std::make_shared<const Alert>(std::move(alert))}).first;
  Entry& entry = known->second;
  if (age < patience) return wait(known->first, entry, patience - age);
  entry.stage = may_last && age >= kLongSilence ? Stage::lasting : Stage::raised;
  if (may_last && entry.stage == Stage::raised) wait(known->first, entry, kLongSilence - age);
  tell(entry.alert->rule->grade);
}

void Alerts::end(Entries::iterator found) {
  auto node = entries_.extract(found);
  const Entry& entry = node.mapped();
  if (entry.due) {
    due_.erase({*entry.due, node.key()});
    wait_for_next();
  }
  if (entry.stage != Stage::waiting) tell(entry.alert->rule->grade);
}

void Alerts::wait(const std::string& key, Entry& entry, base::Duration wait) {
  entry.due = clock_.steady_now() + wait;
  due_.emplace(*entry.due, key);
  wait_for_next();
}

void Alerts::wait_for_next() {
  next_ = Timer();
  if (!due_.empty()) next_ = bus_.schedule(due_.begin()->first - clock_.steady_now(), [this] { advance(); });
}

void Alerts::advance() {
  const base::SteadyTime now = clock_.steady_now();
  while (!due_.empty() && due_.begin()->first <= now) {
    const auto [due, key] = due_.extract(due_.begin()).value();
    Entry& entry = entries_.find(key)->second;
    entry.due.reset();
    if (entry.stage == Stage::waiting) {
      entry.stage = Stage::raised;
      if (entry.alert->rule == &kSilentDeviceRule) {
        entry.due = due + (kLongSilence - entry.alert->rule->patience);
        due_.emplace(*entry.due, key);
      }
    } else {
      entry.stage = Stage::lasting;
    }
    tell(entry.alert->rule->grade);
  }
  wait_for_next();
}

void Alerts::tell(AlertRule::Grade grade) {
  if (posted_ || !subscription_) return;
  if (grade == AlertRule::Grade::danger) {
    posted_ = true;
    bus_.post([this] { publish(); });
  } else if (!gathers_) {
    gathers_ = true;
    gathering_ = bus_.schedule(kGathering, [this] { publish(); });
  }
}

// A battery's flag beside its percentage, and a group beside its members, would be the same thing twice.
bool Alerts::is_told_otherwise(const Alert& alert, const std::set<std::string_view>& measured) const {
  if (alert.rule->kind == "battery" && alert.rule->test == AlertRule::Test::is && measured.contains(alert.device_id))
    return true;
  return std::ranges::any_of(alert.members, [&](const std::string& member) {
    const auto found = entries_.find(member);
    return found != entries_.end() && found->second.stage != Stage::waiting && member != alert.entity_id &&
           found->second.alert->rule->kind == alert.rule->kind;
  });
}

void Alerts::publish() {
  posted_ = gathers_ = false;
  gathering_ = Timer();
  std::set<std::string_view> measured;  // devices whose batteries say how low they are
  for (const auto& [key, entry] : entries_) {
    if (entry.alert->rule->test == AlertRule::Test::is_low && !entry.alert->device_id.empty())
      measured.insert(entry.alert->device_id);
  }
  AlertList list, lasting;
  for (const auto& [key, entry] : entries_) {
    if (entry.stage == Stage::waiting || is_told_otherwise(*entry.alert, measured)) continue;
    (entry.stage == Stage::raised ? list : lasting).push_back(entry.alert);
  }
  const auto is_before = [](const AlertPtr& one, const AlertPtr& other) {
    return std::tie(one->rule, other->since, one->id) < std::tie(other->rule, one->since, other->id);
  };
  for (AlertList* const each : {&list, &lasting}) {
    const std::size_t kept = std::min(each->size(), kMaxListed);
    std::ranges::partial_sort(*each, each->begin() + static_cast<std::ptrdiff_t>(kept), is_before);
    each->resize(kept);
  }
  const auto former = list_.load_once();
  std::unordered_map<std::string_view, const Alert*> gone;
  for (const AlertPtr& alert : *former) gone.emplace(alert->id, alert.get());
  std::vector<std::string> events;
  for (const AlertPtr& alert : list) {
    const auto found = gone.find(alert->id);
    const bool is_new = found == gone.end() || found->second->since != alert->since;
    if (is_new || *found->second != *alert) events.push_back(alert_event(is_new ? "raised" : "changed", *alert));
    if (found != gone.end()) gone.erase(found);
  }
  for (const auto& [id, alert] : gone) events.push_back(alert_event("ended", *alert));
  if (*lasting_.load_once() != lasting) lasting_.publish(std::make_shared<const AlertList>(std::move(lasting)));
  if (events.empty()) return;
  list_.publish(std::make_shared<const AlertList>(std::move(list)));
  if (!subscription_) return;  // they were raised before the restart
  for (std::string& data : events)
    static_cast<void>(bus_.fire(IfFull::pass, event_type::kAlertUpdated, std::move(data), Origin::local,
                                Context::create(clock_.now())));
}

// A snooze that is over is removed, which tells those who listen.
void Alerts::wait_for_snoozes() {
  snoozes_timer_ = Timer();
  if (const auto end = next_end(*registry_.snapshot()))
    snoozes_timer_ = bus_.schedule_at(*end, [this] { forget_ended(registry_, clock_.now()); });
}

}  // namespace hearth::core
