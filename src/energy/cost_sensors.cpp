// SPDX-License-Identifier: Apache-2.0
#include "energy/cost_sensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/json/json_fields.h"
#include "base/log/log.h"
#include "base/text/number.h"
#include "base/text/timestamp.h"
#include "core/values/entity_id.h"
#include "domains/entities/kinds.h"
#include "domains/entities/thing.h"
#include "domains/people/texts.h"
#include "energy/cost_count.h"

namespace hearth::energy {
namespace {

constexpr std::string_view kIntegration = "energy", kPreferences = "preferences", kReading = "last_valid_state";
constexpr double kCostDigits = 1e6;  // what is beyond is noise of sums

std::string_view suffix_of(Role role) {
  return role == Role::grid_out ? "compensation" : "cost";
}

std::string unique_id_of(std::string_view meter, Role role) {
  const std::string_view type = role == Role::gas ? "gas" : role == Role::water ? "water" : "grid";
  return fmt::format("{}_{}_{}", meter, type, suffix_of(role));
}

bool has_cost_sensor(const Meter& meter) {
  const Price& price = meter.price;
  return price.statistic.empty() && (price.number || !price.entity.empty()) &&
         core::EntityId::parse(meter.statistic_id).has_value();
}

recorder::Change change_of(const core::State& state) {
  recorder::Change change;
  change.updated = state.last_updated();
  change.changed = state.last_changed();
  change.value = state.value();
  change.attributes = state.attributes_json();
  return change;
}

std::vector<Meter> meters_with_costs(const core::RegistryData& registry) {
  const core::Item* const item = registry.find_item(core::kEnergy, kPreferences);
  std::vector<Meter> meters = meters_of(item ? item->fields : json::object()).meters;
  std::erase_if(meters, [](const Meter& meter) { return !has_cost_sensor(meter); });
  return meters;
}

}  // namespace

bool is_cost_sensor(const core::RegistryData& registry, const core::RegisteredEntity& entity) {
  if (entity.integration != kIntegration || entity.domain() != domains::kSensor.domain) return false;
  return std::ranges::any_of(meters_with_costs(registry), [&](const Meter& meter) {
    const core::RegisteredEntity* const of_meter = registry.entities.find(meter.statistic_id);
    return entity.unique_id == unique_id_of(meter.statistic_id, meter.role) ||
           (of_meter && entity.unique_id == unique_id_of(of_meter->id, meter.role));
  });
}

class CostSensors::Sensor {
 public:
  Sensor(core::Hub& hub, domains::EntityTable& entities, Meter meter)
      : hub_(hub), entities_(entities), meter_(std::move(meter)) {}
  ~Sensor() {
    if (thing_) const auto gone = entities_.withdraw(thing_->entity_id());
  }
  Sensor(const Sensor&) = delete;
  Sensor& operator=(const Sensor&) = delete;

  base::Result<void> start() {
    const auto registry = hub_.registry.snapshot();
    const core::RegisteredEntity* const of_meter = registry->entities.find(meter_.statistic_id);
    const std::string own_id = unique_id_of(meter_.statistic_id, meter_.role);
    const auto* known = registry->find_entity(kIntegration, domains::kSensor.domain, own_id);
    // The meter may get another name later.
    std::string unique_id = known || !of_meter ? own_id : unique_id_of(of_meter->id, meter_.role);
    if (!known) known = registry->find_entity(kIntegration, domains::kSensor.domain, unique_id);
    if (const core::StatePtr last = known ? hub_.states.find(known->entity_id) : nullptr) restore(*last);

    const core::StatePtr state = hub_.states.find(meter_.statistic_id);
    std::string name = state ? base::text_at(state->attributes(), "friendly_name") : std::string();
    if (name.empty() && of_meter) name = registry->friendly_name(*of_meter);
    if (name.empty()) name = meter_.statistic_id;
    const std::string_view object = std::string_view(meter_.statistic_id).substr(meter_.statistic_id.find('.') + 1);
    const std::string_view words =
        domains::text_for_people(meter_.role == Role::grid_out ? "compensation_of" : "cost_of", hub_);
    auto made = std::make_unique<domains::Thing>(
        domains::kSensor, domains::EntityInfo{.integration = std::string(kIntegration),
                                              .unique_id = std::move(unique_id),
                                              .object_id = fmt::format("{}_{}", object, suffix_of(meter_.role)),
                                              .name = fmt::format(fmt::runtime(words), name),
                                              .device_class = "monetary"});
    thing_ = made.get();
    if (state) count(*state);
    show(nullptr);
    if (!known) register_hidden(made->info());
    if (const auto added = entities_.add(std::move(made)); !added) {
      thing_ = nullptr;
      return std::unexpected(added.error());
    }
    changes_ = hub_.entity_listeners.listen({meter_.statistic_id},
                                            [this](const core::StateChange& change, const core::Event& event) {
                                              if (change.new_state && count(*change.new_state)) show(&event.context);
                                            });
    return {};
  }

  void set_price(Price price) { meter_.price = std::move(price); }
  void show_currency() { show(nullptr); }
  std::string entity_id() const { return thing_ ? std::string(thing_->entity_id()) : std::string(); }
  void remove() {
    changes_ = {};
    if (thing_) entities_.remove(std::exchange(thing_, nullptr)->entity_id());
  }

 private:
  // For those who read statistics: people see the costs on the page of energy.
  void register_hidden(const domains::EntityInfo& info) const {
    core::RegisteredEntity entry;
    entry.integration = info.integration;
    entry.unique_id = info.unique_id;
    entry.original_name = info.name;
    entry.hidden_by = core::ChangedBy::integration;
    const auto wanted = core::EntityId::parse(fmt::format("{}.{}", domains::kSensor.domain, info.object_id));
    // Fails only where adding it fails, which says so.
    if (wanted) static_cast<void>(hub_.registry.put_entity(*wanted, std::move(entry)));
  }

  void restore(const core::State& last) {
    const json::object attributes = last.attributes();
    const auto cost = base::parse_number(last.value());
    const auto since = base::parse_timestamp(base::text_at(attributes, "last_reset"));
    if (cost && since) count_.restore(*cost, *since, base::text_at(attributes, kReading));
  }

  std::optional<CostCount::PriceNow> price_now() const {
    const Price& price = meter_.price;
    if (price.entity.empty()) return CostCount::PriceNow{*price.number, {}};
    const core::StatePtr state = hub_.states.find(price.entity);
    const auto number = state ? base::parse_number(state->value()) : std::nullopt;
    if (!number) return {};
    return CostCount::PriceNow{*number, base::text_at(state->attributes(), "unit_of_measurement")};
  }

  bool count(const core::State& state) { return count_.take(change_of(state), meter_.role, price_now()); }

  void show(const core::Context* cause) {
    domains::Report report{
        .attributes = {{"state_class", "total"}, {"unit_of_measurement", json::string(hub_.config.load()->currency)}}};
    json::object extra{{"source", meter_.statistic_id}};
    if (const auto cost = count_.cost()) {
      report.value = std::round(*cost * kCostDigits) / kCostDigits + 0.0;
      report.attributes["last_reset"] = base::to_string(count_.since());
      extra[kReading] = count_.reading();
    }
    thing_->set_extra_attributes(std::move(extra));
    thing_->report(std::move(report), cause);
  }

  core::Hub& hub_;
  domains::EntityTable& entities_;
  Meter meter_;
  CostCount count_;
  domains::Thing* thing_ = nullptr;
  core::EntityListeners::Listening changes_;
};

CostSensors::CostSensors(core::Hub& hub, domains::EntityTable& entities) : hub_(hub), entities_(entities) {}

CostSensors::~CostSensors() = default;

void CostSensors::start() {
  subscriptions_.push_back(hub_.bus.listen(core::event_type::kCollectionUpdated, [this](const core::Event& event) {
    if (event.registry_change && event.registry_change->collection == core::kEnergy) rebuild();
  }));
  subscriptions_.push_back(hub_.bus.listen(core::event_type::kEntityRegistryUpdated, [this](const core::Event& event) {
    if (event.registry_change && !event.registry_change->former_entity_id.empty()) publish();
  }));
  subscriptions_.push_back(hub_.bus.listen(core::event_type::kCoreConfigUpdated, [this](const core::Event&) {
    for (const auto& [key, sensor] : sensors_) sensor->show_currency();
  }));
  rebuild();
}

void CostSensors::stop() {
  subscriptions_.clear();
  sensors_.clear();
}

void CostSensors::rebuild() {
  const auto registry = hub_.registry.snapshot();
  std::map<std::pair<Role, std::string>, Meter> wanted;
  for (Meter& meter : meters_with_costs(*registry)) {
    std::pair key(meter.role, meter.statistic_id);
    wanted.try_emplace(std::move(key), std::move(meter));
  }
  std::erase_if(sensors_, [&](const auto& each) {
    if (wanted.contains(each.first)) return false;
    each.second->remove();
    return true;
  });
  for (auto& [key, meter] : wanted) {
    if (const auto found = sensors_.find(key); found != sensors_.end()) {
      found->second->set_price(std::move(meter.price));
      continue;
    }
    auto sensor = std::make_unique<Sensor>(hub_, entities_, std::move(meter));
    if (const auto started = sensor->start(); started)
      sensors_.emplace(key, std::move(sensor));
    else
      base::log_warning("energy", "what {} costs is not counted: {}", key.second, started.error().message);
  }
  publish();
}

void CostSensors::publish() {
  auto shown = std::make_shared<CostEntities>();
  for (const auto& [key, sensor] : sensors_) {
    if (std::string id = sensor->entity_id(); !id.empty()) shown->emplace(key, std::move(id));
  }
  shown_.publish(std::move(shown));
}

}  // namespace hearth::energy
