// SPDX-License-Identifier: Apache-2.0
#include "derived/units/meter_unit.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/values/entity_id.h"
#include "domains/entities/kinds.h"

namespace hearth::derived {

MeterUnit::MeterUnit(std::shared_ptr<const Plan> plan, const Environment& environment, Options options)
    : Unit(std::move(plan)), environment_(environment), options_(std::move(options)) {
  if (options_.tariffs.empty()) add_part("");
  for (const std::string& tariff : options_.tariffs) add_part(tariff);
}

void MeterUnit::add_part(const std::string& tariff) {
  auto own = std::make_shared<Plan>(plan());
  own->unit = nullptr;
  Meter::Options options = options_.meter;
  options.tariff = tariff;
  if (!tariff.empty()) {
    own->unique_id += "_" + tariff;
    own->object_id += "_" + core::slugify(tariff);
    own->name += " " + tariff;
  }
  auto meter = std::make_unique<Meter>(std::move(options));
  Meter* const made = meter.get();
  parts_.push_back({made, std::make_unique<SensorUnit>(std::move(own), environment_, std::move(meter))});
}

base::Result<void> MeterUnit::start() {
  if (!options_.tariffs.empty()) {
    if (auto added = add_select(); !added) return added;
    choose(select_->reported());
  }
  for (const Part& part : parts_)
    if (auto started = part.sensor->start(); !started) return started;
  return {};
}

base::Result<void> MeterUnit::add_select() {
  const auto registry = environment_.home.hub.registry.snapshot();
  const core::RegisteredEntity* const known = registry->find_entity(plan().platform, "select", plan().unique_id);
  const core::StatePtr last = known ? environment_.home.hub.states.find(known->entity_id) : nullptr;
  json::array tariffs;
  for (const std::string& tariff : options_.tariffs) tariffs.emplace_back(tariff);
  auto made =
      std::make_unique<domains::Thing>(domains::kSelect,
                                       domains::EntityInfo{.integration = plan().platform,
                                                           .unique_id = plan().unique_id,
                                                           .object_id = plan().object_id,
                                                           .name = plan().name,
                                                           .icon = "mdi:clock-outline"},
                                       domains::Abilities{.attributes = {{"options", std::move(tariffs)}}}, this);
  const bool still = last && std::ranges::find(options_.tariffs, last->value()) != options_.tariffs.end();
  made->report({.value = still ? std::string(last->value()) : options_.tariffs.front()});
  const auto added = environment_.entities.add(std::move(made));
  if (!added) return std::unexpected(added.error());
  select_ = *added;
  return {};
}

void MeterUnit::choose(std::string_view tariff) {
  for (const Part& part : parts_) part.meter->collect(part.meter->tariff() == tariff);
}

void MeterUnit::withdraw() {
  for (const Part& part : parts_) part.sensor->withdraw();
  if (select_) const auto gone = environment_.entities.withdraw(select_->entity_id());
  select_ = nullptr;
}

std::vector<std::string> MeterUnit::entity_ids() const {
  std::vector<std::string> all;
  for (const Part& part : parts_) std::ranges::move(part.sensor->entity_ids(), std::back_inserter(all));
  if (select_) all.emplace_back(select_->entity_id());
  return all;
}

void MeterUnit::act(const domains::Action& action, const json::object& data) {
  select_->report(domains::outcome(domains::kSelect, action, data));
  choose(select_->reported());
  const core::Context cause = select_->command_context();
  for (const Part& part : parts_) part.sensor->renew(&cause);
}

bool MeterUnit::reset(std::string_view entity_id, const core::Context& cause) {
  const bool all = select_ && select_->entity_id() == entity_id;
  bool found = false;
  for (const Part& part : parts_) {
    if (!all && part.sensor->entity_id() != entity_id) continue;
    part.meter->reset(environment_.home.hub.clock.now());
    part.sensor->renew(&cause);
    found = true;
  }
  return found;
}

std::optional<base::Result<void>> MeterUnit::calibrate(std::string_view entity_id, std::string_view value,
                                                       const core::Context& cause) {
  for (const Part& part : parts_) {
    if (part.sensor->entity_id() != entity_id) continue;
    auto done = part.meter->calibrate(value);
    part.sensor->renew(&cause);
    return done;
  }
  return {};
}

std::vector<core::Registration> add_meter_services(core::Hub& hub, const ForEachUnit& for_each) {
  const auto describe = [](std::string_view service, std::string_view name, std::string_view text) {
    core::ServiceDescription description;
    description.domain = "utility_meter";
    description.service = service;
    description.name = name;
    description.description = text;
    return description;
  };
  const auto unknown = [](const std::string& id) {
    return base::fail(base::ErrorCode::invalid, fmt::format("{} is not of a utility meter.", id));
  };
  std::vector<core::Registration> made;
  auto reset =
      describe("reset", "Reset", "Ends the period of a utility meter: of all tariffs if the target is their select.");
  reset.target_domains = {"select", "sensor"};
  made.push_back(hub.services.add(std::move(reset),
                                  [for_each, unknown](const core::ServiceCall& call, const core::ServiceReply& reply) {
                                    for (const std::string& id : call.entity_ids()) {
                                      bool found = false;
                                      for_each([&](Unit& meter) { found = meter.reset(id, call.context()) || found; });
                                      if (!found) return reply(unknown(id));
                                    }
                                    reply(json::value());
                                  }));
  auto calibrate = describe("calibrate", "Calibrate", "Sets what a utility meter has counted.");
  calibrate.target_domains = {"sensor"};
  calibrate.fields = {{"value", "What it has counted, a number as text.", "100.5", core::field::Text{}, true}};
  made.push_back(hub.services.add(std::move(calibrate),
                                  [for_each, unknown](const core::ServiceCall& call, const core::ServiceReply& reply) {
                                    const json::value& value = call.data().at("value");
                                    for (const std::string& id : call.entity_ids()) {
                                      std::optional<base::Result<void>> done;
                                      for_each([&](Unit& meter) {
                                        if (!done) done = meter.calibrate(id, value.get_string(), call.context());
                                      });
                                      if (!done) return reply(unknown(id));
                                      if (!*done) return reply(std::unexpected(done->error()));
                                    }
                                    reply(json::value());
                                  }));
  return made;
}

}  // namespace hearth::derived
