// SPDX-License-Identifier: Apache-2.0
#include "app/hub_services.h"

#include <fmt/format.h>

#include "api/accounts/accounts_answer.h"
#include "api/system/system_log.h"
#include "app/integrations.h"
#include "app/settings.h"
#include "base/utf8.h"
#include "domains/platform/platform_services.h"

namespace hearth::app {
namespace {

constexpr std::string_view kLogDomain = "system_log";

core::ServiceDescription describe(std::string service, std::string name, std::string description) {
  core::ServiceDescription described;
  described.service = std::move(service);
  described.name = std::move(name);
  described.description = std::move(description);
  described.has_target = false;
  described.administrator = true;
  return described;
}

base::Result<std::string> text_of(const json::object& data, std::string_view key, std::size_t longest,
                                  std::string_view otherwise) {
  const json::value* const value = data.if_contains(key);
  std::string text(value ? std::string_view(value->get_string()) : otherwise);
  const auto length = base::utf8_length(text);
  if (length && *length >= 1 && *length <= longest) return text;
  return base::fail(base::ErrorCode::invalid, fmt::format("{}: expected a text of 1 to {} characters", key, longest));
}

base::Result<void> write_line(const json::object& data) {
  const auto message = text_of(data, "message", 4'096, "");
  if (!message) return std::unexpected(message.error());
  const auto logger = text_of(data, "logger", 64, "system_log.external");
  if (!logger) return std::unexpected(logger.error());
  const json::value* const name = data.if_contains("level");
  const auto level = name ? api::parse_log_level(name->get_string()) : base::LogLevel::error;
  if (!level) return std::unexpected(level.error());
  if (base::log_enabled(*level)) base::write_log(*level, *logger, *message);
  return {};
}

}  // namespace

HubServices::HubServices(core::Hub& hub, auth::Accounts& accounts, api::HomeSettings& settings,
                         std::filesystem::path folder, Integrations integrations,
                         std::function<void(Exit)> request_exit)
    : hub_(hub),
      accounts_(accounts),
      settings_(settings),
      folder_(std::move(folder)),
      integrations_(integrations),
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
  add_log_services();
}

void HubServices::add_log_services() {
  auto write = describe("write", "Write", "Writes a line to the log.");
  write.domain = kLogDomain;
  write.fields = {
      {"message", "What to write, 1 to 4096 characters.", "The pump has not started.", core::field::Text{}, true},
      {"level", "How grave it is: error where nothing is said.", "warning",
       core::field::Option{api::log_level_names()}},
      {"logger", "Who says it, 1 to 64 characters: system_log.external where nothing is said.", "my_script",
       core::field::Text{}},
  };
  registrations_.push_back(
      hub_.services.add(std::move(write), [](const core::ServiceCall& call, const core::ServiceReply& reply) {
        if (auto written = write_line(call.data()); !written) return reply(std::unexpected(written.error()));
        reply(json::value());
      }));
  auto clear = describe("clear", "Clear", "Forgets the last lines of the log; where it is written to, they stay.");
  clear.domain = kLogDomain;
  registrations_.push_back(
      hub_.services.add(std::move(clear), [](const core::ServiceCall&, const core::ServiceReply& reply) {
        base::recent_log().clear();
        reply(json::value());
      }));
}

void HubServices::add(core::ServiceDescription description, const core::ServiceHandler& handler) {
  for (auto& registration : domains::add_platform_service(hub_.services, std::move(description), handler)) {
    registrations_.push_back(std::move(registration));
  }
}

base::Result<void> HubServices::check_config() const {
  const auto settings = load_settings(folder_, known_integrations(integrations_));
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
        // A key that the file sets is the caller's mistake, like a wrong value.
        if (!changed && changed.error().code == base::ErrorCode::conflict)
          changed.error().code = base::ErrorCode::invalid;
        return auth::Accounts::Reply{[this, reply, changed] {
          const std::size_t weight = changed ? 0 : changed.error().message.size();
          hub_.bus.post(core::EventBus::kSmallTask + weight, [reply, changed] {
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
