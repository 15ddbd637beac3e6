// SPDX-License-Identifier: Apache-2.0
#include "derived/sensors/derived_sensors.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "base/log/log.h"
#include "derived/platforms.h"
#include "derived/units/calendar_engines.h"
#include "derived/units/meter_unit.h"
#include "derived/units/sensor_unit.h"

namespace hearth::derived {
namespace {

constexpr std::string_view kLog = "derived";

// Takes the units that the configuration does not name. If a file cannot be read, its units go on unchanged.
std::vector<std::unique_ptr<Unit>> left_unnamed(std::vector<std::unique_ptr<Unit>>& former,
                                                const Configuration& configuration) {
  std::vector<std::unique_ptr<Unit>> taken;
  std::set<std::string> named;
  for (const auto& plan : configuration.plans) named.insert(plan->id());
  for (auto& unit : former) {
    if (!named.contains(unit->plan().id())) taken.push_back(std::move(unit));
  }
  std::erase(former, nullptr);
  return taken;
}

}  // namespace

DerivedSensors::DerivedSensors(automation::Home& home, domains::EntityTable& entities, HistoryQuestions& history)
    : environment_{home, entities, history, home.hub.clock.now()} {
  home.keys_of_others.emplace_back(SensorUnit::kBooks);
}

DerivedSensors::~DerivedSensors() = default;

void DerivedSensors::add_services(const Reload& reload) {
  for (const Platform& platform : platforms()) {
    core::ServiceDescription description;
    description.domain = platform.name;
    description.service = "reload";
    description.name = "Reload";
    description.description = "Reads the files again; sensors made of others that have not changed go on.";
    description.has_target = false;
    description.administrator = true;
    registrations_.push_back(environment_.home.hub.services.add(
        description, [reload](const core::ServiceCall& call, core::ServiceReply reply) {
          reload(call.context(), std::move(reply));
        }));
  }
  const auto for_each_unit = [this](const auto& act) { for_each(act); };
  for (auto& service : add_meter_services(environment_.home.hub, for_each_unit))
    registrations_.push_back(std::move(service));
  registrations_.push_back(add_workday_service(environment_.home.hub, for_each_unit));
}

void DerivedSensors::for_each(const std::function<void(Unit& unit)>& act) const {
  for (const auto& unit : units_) act(*unit);
  made_.for_each(act);
}

std::unique_ptr<Unit> DerivedSensors::taken(const std::map<std::string, std::unique_ptr<Unit>*>& former,
                                            const Plan& plan) {
  const auto same = former.find(plan.id());
  if (same == former.end() || !*same->second) return nullptr;
  const Plan& known = (*same->second)->plan();
  const bool unchanged = known.written == plan.written && known.error == plan.error && known.domain == plan.domain;
  if (unchanged || (!plan.error.empty() && known.error.empty())) return std::move(*same->second);
  return nullptr;
}

void DerivedSensors::apply(const Configuration& configuration) {
  made_.start();
  std::vector<automation::Fault> faults;
  for (const std::string& error : configuration.faults) {
    // The place stays the same as long as the fault does.
    faults.push_back({"configuration " + error.substr(0, error.find(": ")), {}, {}, error});
    base::log_warning(kLog, "{}", error);
  }
  Units former = std::exchange(units_, {});
  Units wanted;
  std::map<std::string, std::unique_ptr<Unit>*> by_id;
  for (auto& unit : former) by_id.emplace(unit->plan().id(), &unit);
  for (const auto& plan : configuration.plans) wanted.push_back(taken(by_id, *plan));
  std::erase(former, nullptr);
  Units kept;
  if (!configuration.complete) kept = left_unnamed(former, configuration);
  for (const auto& unit : former) unit->withdraw();
  former.clear();
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const auto& plan = configuration.plans[i];
    if (!wanted[i]) {
      if (!plan->warning.empty()) base::log_warning(kLog, "{}", plan->warning);
      wanted[i] = Unit::create(plan, environment_);
      if (const auto started = wanted[i]->start(); !started) {
        const std::string error = plan->place + ": " + started.error().message;
        faults.push_back({"configuration " + plan->place, {}, {}, error});
        base::log_warning(kLog, "{}", error);
      }
    }
    if (plan->error.empty()) continue;
    const auto ids = wanted[i]->entity_ids();
    faults.push_back({plan->id(), ids.empty() ? std::string() : ids.front(), plan->name, plan->error});
    base::log_warning(kLog, "{}", plan->error);
  }
  units_ = std::move(wanted);
  std::ranges::move(kept, std::back_inserter(units_));
  clear_left(configuration.complete);
  file_faults_ = std::move(faults);
  publish_faults();
}

void DerivedSensors::publish_faults() {
  std::vector<automation::Fault> all = file_faults_;
  std::ranges::move(made_.faults(), std::back_inserter(all));
  faults_.publish(std::make_shared<const std::vector<automation::Fault>>(std::move(all)));
}

void DerivedSensors::clear_left(bool complete) const {
  std::set<std::string, std::less<>> present;
  for_each([&](const Unit& unit) {
    for (std::string& id : unit.entity_ids()) present.insert(std::move(id));
  });
  const core::Hub& hub = environment_.home.hub;
  const auto registry = hub.registry.snapshot();
  const auto context = core::Context::create(hub.clock.now());
  for (const auto& [id, registered] : registry->entities) {
    if (!find_platform(registered.integration) || present.contains(id)) continue;
    const core::StatePtr state = hub.states.find(id);
    if (!state) continue;
    if (complete)
      static_cast<void>(environment_.home.hub.states.remove(id, context));
    else
      static_cast<void>(environment_.home.hub.states.set(core::EntityId::parse(id).value(),
                                                         {core::kUnavailable, state->attributes_json(), context}));
  }
}

void DerivedSensors::stop() {
  for (const auto& unit : units_) unit->withdraw();
  units_.clear();
  made_.stop();
  registrations_.clear();
}

}  // namespace hearth::derived
