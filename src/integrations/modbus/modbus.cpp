// SPDX-License-Identifier: Apache-2.0
#include "integrations/modbus/modbus.h"

#include <fmt/format.h>

#include <set>
#include <utility>

namespace hearth::integrations::modbus {
namespace {

// The hubs, and what is wrong with them.
std::pair<std::vector<HubOptions>, std::vector<base::ConfigProblem>> read_hubs(const base::ConfigNode& section) {
  std::vector<HubOptions> hubs;
  std::vector<base::ConfigProblem> problems;
  std::set<std::string> names;
  for (const base::ConfigNode* const node : hubs_of(section)) {
    base::ConfigReader in(*node);
    HubOptions hub = read_hub(in);
    if (!names.insert(hub.name).second)
      in.report(*node, node->error(fmt::format("name: there are two hubs {}; each needs a name of its own", hub.name)));
    if (hubs.size() == kMaxHubs) in.report(*node, node->error(fmt::format("expected at most {} hubs", kMaxHubs)));
    for (base::ConfigProblem& problem : in.problems()) problems.push_back(std::move(problem));
    if (hubs.size() < kMaxHubs) hubs.push_back(std::move(hub));
  }
  return {std::move(hubs), std::move(problems)};
}

}  // namespace

base::Result<Modbus::Options> Modbus::Options::parse(const base::ConfigNode& section) {
  auto [hubs, problems] = read_hubs(section);
  if (problems.empty()) return Options{std::move(hubs)};
  std::string all;
  for (const base::ConfigProblem& problem : problems) all += (all.empty() ? "" : "\n") + problem.message;
  return base::fail(base::ErrorCode::invalid, std::move(all));
}

std::vector<base::ConfigProblem> Modbus::Options::check(const base::ConfigNode& section) {
  return read_hubs(section).second;
}

base::Result<void> Modbus::start() {
  if (!home_.reactor) return base::fail(base::ErrorCode::unavailable, "There are no links to devices.");
  for (HubOptions& hub : options_.hubs)
    hubs_.push_back(std::make_unique<ModbusHub>(home_, std::move(hub), [this] { report_health(); }));
  services_ = std::make_unique<Services>(home_, hubs_);
  report_health();
  return {};
}

void Modbus::stop() {
  services_.reset();
  for (const auto& hub : hubs_) hub->stop();
}

void Modbus::report_health() const {
  std::string reason;
  for (const auto& hub : hubs_) {
    if (hub->trouble().empty()) continue;
    if (!reason.empty()) reason += ' ';
    reason += fmt::format("{}: {}", hub->name(), hub->trouble());
    if (!reason.ends_with('.')) reason += '.';
  }
  using State = domains::ConnectionHealth::State;
  home_.report({reason.empty() ? State::ready : State::waiting, reason});
}

json::object Modbus::diagnosis() const {
  json::object report;
  for (const auto& hub : hubs_) report[hub->name()] = hub->diagnosis();
  return report;
}

}  // namespace hearth::integrations::modbus
