// SPDX-License-Identifier: Apache-2.0
#include "building_blocks/polled/polled_entities.h"

#include <algorithm>
#include <set>

#include "base/log/log.h"
#include "configured/clear_left.h"

namespace hearth::building_blocks {
namespace {

constexpr std::string_view kPolledLog = "building_blocks";
// Services of the same names may have entities of other domains, such as notify.
constexpr core::Words kPolledDomains{"binary_sensor cover sensor switch"};

}  // namespace

PolledEntities::PolledEntities(std::span<const Block> blocks, automation::Home& home, domains::EntityTable& entities,
                               net::HttpClient& http, std::filesystem::path folder, Databases* databases)
    : blocks_(blocks),
      fetches_(home.hub.bus, PlanReader::kMostPlans),
      orders_(home.hub.bus),
      workers_(home.hub.bus, PlanReader::kMostPlans),
      environment_{home, entities, http, fetches_, orders_, workers_, std::move(folder), databases} {}

PolledEntities::~PolledEntities() = default;

void PolledEntities::add_services(const configured::Reload& reload) {
  core::Hub& hub = environment_.home.hub;
  for (const Block& block : blocks_) {
    registrations_.push_back(configured::add_reload(
        hub, block.name, "Reads the files again; entities that have not changed go on.", reload));
    if (!block.add_services) continue;
    for (core::Registration& each : block.add_services(hub)) registrations_.push_back(std::move(each));
  }
}

void PolledEntities::apply(const PolledConfiguration& configuration) {
  std::vector<configured::Fault> faults = configured::report(configuration, kPolledLog);
  units_.apply(configuration.plans, configuration.complete, [&](const auto& plan) {
    auto unit = std::make_unique<PolledUnit>(plan, environment_);
    for (const std::string& error : unit->start()) {
      faults.push_back(configured::fault_at_place(error, kPolledLog));
      base::log_warning(plan->block, "{}", error);
    }
    return unit;
  });
  for (const auto& plan : configuration.plans) {
    if (is_good(*plan)) continue;
    const PolledUnit* const unit = units_.find(plan->id);
    const auto ids = unit ? unit->entity_ids() : std::vector<std::string>();
    faults.push_back({plan->id, ids.empty() ? std::string() : ids.front(), plan->entities.front().name, plan->error});
    base::log_warning(plan->block, "{}", plan->error);
  }
  clear_left(configuration.complete);
  faults_.publish(std::move(faults));
}

void PolledEntities::clear_left(bool complete) const {
  std::set<std::string, std::less<>> present;
  for (const auto& [id, unit] : units_.all()) {
    for (std::string& each : unit->entity_ids()) present.insert(std::move(each));
  }
  configured::clear_left(environment_.home.hub, complete,
                         [&](const std::string& id, const core::RegisteredEntity& registered) {
                           const auto is_its = [&](const Block& block) { return registered.integration == block.name; };
                           return kPolledDomains.contains(id.substr(0, id.find('.'))) &&
                                  std::ranges::any_of(blocks_, is_its) && !present.contains(id);
                         });
}

void PolledEntities::stop() {
  for (const auto& [id, unit] : units_.all()) unit->withdraw();
  units_.clear();
  registrations_.clear();
  fetches_.stop();
  orders_.stop();
  workers_.stop();
}

void PolledEntities::join() {
  fetches_.join();
  orders_.join();
  workers_.join();
}

}  // namespace hearth::building_blocks
