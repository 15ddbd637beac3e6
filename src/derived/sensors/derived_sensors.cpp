// SPDX-License-Identifier: Apache-2.0
#include "derived/sensors/derived_sensors.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "base/log/log.h"
#include "configured/clear_left.h"
#include "derived/platforms.h"
#include "derived/units/calendar_engines.h"
#include "derived/units/meter_unit.h"
#include "derived/units/sensor_unit.h"

namespace hearth::derived {
namespace {

constexpr std::string_view kLog = "derived";

}  // namespace

DerivedSensors::DerivedSensors(automation::Home& home, domains::EntityTable& entities, HistoryQuestions& history)
    : environment_{home, entities, history, home.hub.clock.now()} {
  home.store.leave_to_others(SensorUnit::kBooks);
}

DerivedSensors::~DerivedSensors() = default;

void DerivedSensors::add_services(const configured::Reload& reload) {
  for (const Platform& platform : platforms())
    registrations_.push_back(
        configured::add_reload(environment_.home.hub, platform.name,
                               "Reads the files again; sensors made of others that have not changed go on.", reload));
  const auto for_each_unit = [this](const auto& act) { for_each(act); };
  for (auto& service : add_meter_services(environment_.home.hub, for_each_unit))
    registrations_.push_back(std::move(service));
  registrations_.push_back(add_workday_service(environment_.home.hub, for_each_unit));
}

void DerivedSensors::for_each(const std::function<void(Unit& unit)>& act) const {
  for (const auto& [id, unit] : units_.all()) act(*unit);
  made_.for_each(act);
}

void DerivedSensors::apply(const Configuration& configuration) {
  made_.start();
  std::vector<configured::Fault> faults = configured::report(configuration, kLog);
  units_.apply(configuration.plans, configuration.complete, [&](const auto& plan) { return start(plan, faults); });
  for (const auto& plan : configuration.plans) {
    if (plan->error.empty()) continue;
    const Unit* const unit = units_.find(plan->id());
    const auto ids = unit ? unit->entity_ids() : std::vector<std::string>();
    faults.push_back({plan->id(), ids.empty() ? std::string() : ids.front(), plan->name, plan->error});
    base::log_warning(kLog, "{}", plan->error);
  }
  clear_left(configuration.complete);
  file_faults_ = std::move(faults);
  publish_faults();
}

std::unique_ptr<Unit> DerivedSensors::start(const std::shared_ptr<const Plan>& plan,
                                            std::vector<configured::Fault>& faults) const {
  if (!plan->warning.empty()) base::log_warning(kLog, "{}", plan->warning);
  auto unit = Unit::create(plan, environment_);
  const auto started = unit->start();
  if (started) return unit;
  faults.push_back(configured::fault_at_place(plan->place + ": " + started.error().message));
  base::log_warning(kLog, "{}", faults.back().error);
  if (unit->entity_ids().empty()) unit.reset();
  return unit;
}

void DerivedSensors::publish_faults() {
  std::vector<configured::Fault> all = file_faults_;
  std::ranges::move(made_.faults(), std::back_inserter(all));
  faults_.publish(std::move(all));
}

void DerivedSensors::clear_left(bool complete) const {
  std::set<std::string, std::less<>> present;
  for_each([&](const Unit& unit) {
    for (std::string& id : unit.entity_ids()) present.insert(std::move(id));
  });
  configured::clear_left(environment_.home.hub, complete,
                         [&](const std::string& id, const core::RegisteredEntity& registered) {
                           return find_platform(registered.integration) && !present.contains(id);
                         });
}

void DerivedSensors::stop() {
  for (const auto& [id, unit] : units_.all()) unit->withdraw();
  units_.clear();
  made_.stop();
  registrations_.clear();
}

}  // namespace hearth::derived
