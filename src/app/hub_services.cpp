// SPDX-License-Identifier: Apache-2.0
#include "app/hub_services.h"

#include "api/accounts_answer.h"
#include "app/integrations.h"
#include "app/settings.h"
#include "domains/platform/platform_services.h"

namespace hearth::app {
namespace {

core::ServiceDescription describe(std::string service, std::string name, std::string description) {
  core::ServiceDescription described;
  described.service = std::move(service);
  described.name = std::move(name);
  described.description = std::move(description);
  described.has_target = false;
  described.administrator = true;
  return described;
}

}  // namespace

HubServices::HubServices(core::Hub& hub, auth::Accounts& accounts, api::HomeSettings& settings,
                         std::filesystem::path folder, std::function<void(Exit)> request_exit)
    : hub_(hub),
      accounts_(accounts),
      settings_(settings),
      folder_(std::move(folder)),
      request_exit_(std::move(request_exit)) {}

void HubServices::add() {
  add(describe("stop", "Stop", "Stops the hub."), [this](const core::ServiceCall&, const core::ServiceReply& reply) {
    reply(json::value());
    request_exit_(Exit::stop);
  });
  add(describe("restart", "Restart", "Stops the hub and starts it again, if its configuration is valid."),
      [this](const core::ServiceCall&, const core::ServiceReply& reply) {
        if (auto valid = check_config(); !valid) return reply(std::unexpected(valid.error()));
        reply(json::value());
        request_exit_(Exit::restart);
      });
  add(describe("check_config", "Check configuration", "Reads configuration.yaml and says what is wrong with it."),
      [this](const core::ServiceCall&, const core::ServiceReply& reply) {
        if (auto valid = check_config(); !valid) return reply(std::unexpected(valid.error()));
        reply(json::value());
      });
  auto location = describe("set_location", "Set location", "Says where the home stands.");
  location.fields = {
      {"latitude", "Degrees, north positive.", 52.52, core::field::Number{-90, 90}, true},
      {"longitude", "Degrees, east positive.", 13.405, core::field::Number{-180, 180}, true},
      {"elevation", "Metres above sea level.", 34, core::field::Integer{-1000, 10'000}},
  };
  add(std::move(location),
      [this](const core::ServiceCall& call, core::ServiceReply reply) { set_location(call, std::move(reply)); });
}

void HubServices::add(core::ServiceDescription description, const core::ServiceHandler& handler) {
  for (auto& registration : domains::add_platform_service(hub_.services, std::move(description), handler)) {
    registrations_.push_back(std::move(registration));
  }
}

base::Result<void> HubServices::check_config() const {
  const auto settings = load_settings(folder_, known_integrations());
  if (!settings) return std::unexpected(settings.error());
  return {};
}

void HubServices::set_location(const core::ServiceCall& call, core::ServiceReply reply) {
  base::ConfigNode::Map changes;
  for (const auto& [key, value] : call.data()) {
    std::string name(key);
    changes.push_back({name, base::ConfigNode({{}, 0, name}, base::to_json(value))});
  }
  const bool posted = accounts_.post(
      [this, reply, context = call.context(), changes = base::ConfigNode({}, std::move(changes))](auth::AccountStore&) {
        auto changed = settings_.change(changes, context);
        // That a key stands in the file is the caller's fault, as a wrong value is.
        if (!changed && changed.error().code == base::ErrorCode::conflict)
          changed.error().code = base::ErrorCode::invalid;
        return auth::Accounts::Reply{[this, reply, changed] {
          hub_.bus.post([reply, changed] {
            if (changed)
              reply(json::value());
            else
              reply(std::unexpected(changed.error()));
          });
        }};
      });
  if (!posted) reply(base::fail(base::ErrorCode::unavailable, "The hub has too much to do with accounts."));
}

}  // namespace hearth::app
