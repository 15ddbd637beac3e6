// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/home_assistant.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "integrations/home_assistant/bridge.h"
#include "integrations/home_assistant/flow/hub_flow.h"

namespace hearth::integrations::home_assistant {

HomeAssistant::HomeAssistant(const domains::IntegrationHome& home, Options options)
    : home_(home), options_(std::move(options)) {
  const auto token = home_.secrets.find(Options::kToken);
  if (token != home_.secrets.end()) options_.token = token->second;
}

HomeAssistant::~HomeAssistant() = default;

std::vector<domains::FileConnection> HomeAssistant::connections(const base::ConfigNode& section) {
  std::vector<domains::FileConnection> all;
  for (const base::ConfigNode* const hub : Options::hubs_of(section)) {
    const auto options = Options::parse(*hub);
    if (!options) continue;
    const bool known = std::ranges::find(all, options->name, &domains::FileConnection::unique_id) != all.end();
    if (!known) all.push_back({options->name, options->name, *hub});
  }
  return all;
}

std::unique_ptr<domains::ConnectionFlow> HomeAssistant::flow(const domains::FlowHome& home,
                                                             const domains::Discovered*) {
  return std::make_unique<HubFlow>(home);
}

std::unique_ptr<domains::ConnectionFlow> HomeAssistant::change_flow(const domains::FlowHome& home,
                                                                    const domains::ConnectionChange& change) {
  return std::make_unique<HubFlow>(home, change);
}

base::Result<void> HomeAssistant::start() {
  if (!home_.reactor) return base::fail(base::ErrorCode::unavailable, "There are no links to other hubs.");
  const auto all = home_.hub.integrations.load();
  for (const core::IntegrationStatus& status : *all) {
    const core::Connection& other = *status.connection;
    if (other.domain != home_.connection->domain || other.entry_id == home_.connection->entry_id) continue;
    if (other.unique_id == options_.name && status.state != core::IntegrationStatus::State::stopped &&
        status.state != core::IntegrationStatus::State::failed) {
      return base::fail(base::ErrorCode::conflict, fmt::format("{} has the name {} already; give one of them another.",
                                                               other.title, options_.name));
    }
  }
  auto instances = home_.domains.shared_by<Instances>(home_.connection->domain,
                                                      [this] { return std::make_shared<Instances>(home_.hub); });
  bridge_ = std::make_unique<Bridge>(home_, options_, std::move(instances));
  return {};
}

void HomeAssistant::stop() {
  if (bridge_) bridge_->stop();
}

void HomeAssistant::unpair() {
  if (bridge_) bridge_->forget();
}

void HomeAssistant::ask(std::string_view what, const json::object& with, const core::Context& context, Answered done) {
  if (bridge_) return bridge_->ask(what, with, context, std::move(done));
  done(base::fail(base::ErrorCode::unavailable, "The connection has not started."));
}

json::object HomeAssistant::diagnosis() const {
  return bridge_ ? bridge_->status() : json::object();
}

}  // namespace hearth::integrations::home_assistant
