// SPDX-License-Identifier: Apache-2.0
#include "app/hub_services.h"

#include "base/log.h"
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

HubServices::HubServices(core::Hub& hub, auth::Accounts& accounts, HomeSettings& settings, MqttSettings& mqtt,
                         templates::CustomTemplates& custom_templates, Save save, Take take_automations,
                         std::function<void(Exit)> request_exit)
    : hub_(hub),
      accounts_(accounts),
      settings_(settings),
      mqtt_(mqtt),
      custom_templates_(custom_templates),
      save_(std::move(save)),
      take_automations_(std::move(take_automations)),
      request_exit_(std::move(request_exit)) {}

void HubServices::add() {
  add_exits();
  add_reloads();
  add_location();
  add(describe("save_persistent_states", "Save states", "Writes to the disk at once what is due to be written soon."),
      [this](const core::ServiceCall&, const core::ServiceReply& reply) {
        save_([this, reply](const base::Result<void>& saved) { reply_on_bus(reply, saved); });
      });
}

void HubServices::add(core::ServiceDescription description, const core::ServiceHandler& handler) {
  for (auto& registration : domains::add_platform_service(hub_.services, std::move(description), handler)) {
    registrations_.push_back(std::move(registration));
  }
}

void HubServices::add_exits() {
  add(describe("stop", "Stop", "Stops the hub."), [this](const core::ServiceCall&, const core::ServiceReply& reply) {
    reply(json::value());
    request_exit_(Exit::stop);
  });
  add(describe("restart", "Restart", "Stops the hub and starts it again, if its configuration is valid."),
      [this](const core::ServiceCall&, const core::ServiceReply& reply) {
        answer_later([this] { return settings_.check_file(); },
                     [this, reply](base::Result<json::value> valid) {
                       const bool restarts = valid.has_value();
                       reply(std::move(valid));
                       if (restarts) request_exit_(Exit::restart);
                     });
      });
  add(describe("check_config", "Check configuration", "Reads configuration.yaml and says what is wrong with it."),
      [this](const core::ServiceCall&, core::ServiceReply reply) {
        answer_later([this] { return settings_.check_file(); }, std::move(reply));
      });
}

void HubServices::add_reloads() {
  add(describe("reload_core_config", "Reload the home's configuration",
               "Reads configuration.yaml and puts its section home in force."),
      [this](const core::ServiceCall& call, core::ServiceReply reply) {
        answer_later(
            [this, context = call.context()]() -> base::Result<void> {
              const auto loaded = settings_.reload(context);
              if (!loaded) return std::unexpected(loaded.error());
              return {};
            },
            std::move(reply));
      });
  add(describe("reload_all", "Reload everything",
               "Reads configuration.yaml and puts in force what needs no restart: its sections home, log and mqtt, "
               "automations, scripts, scenes, helpers, template entities and sensors made of others."),
      [this](const core::ServiceCall& call, core::ServiceReply reply) {
        reload_all(call.context(), std::move(reply));
      });
  auto mqtt = describe("reload", "Reload the connection",
                       "Reads configuration.yaml and puts its section mqtt in force; what that does not change stays.");
  mqtt.domain = "mqtt";
  registrations_.push_back(
      hub_.services.add(std::move(mqtt), [this](const core::ServiceCall&, core::ServiceReply reply) {
        answer_later([this] { return mqtt_.reload(); }, std::move(reply));
      }));
  add(describe("reload_custom_templates", "Reload custom templates",
               "Reads the files that templates import, in the folder custom_templates."),
      [this](const core::ServiceCall&, core::ServiceReply reply) {
        answer_later([this] { return custom_templates_.reload(); }, std::move(reply));
      });
}

void HubServices::reload_all(const core::Context& context, core::ServiceReply reply) {
  answer_later([this, context] { return take_all(context); }, std::move(reply));
}

base::Result<void> HubServices::take_all(const core::Context& context) {
  const auto loaded = settings_.reload(context);
  if (!loaded) return std::unexpected(loaded.error());
  base::set_log_level(loaded->log_level);
  take_automations_(*loaded);
  mqtt_.reload(*loaded);
  return {};
}

void HubServices::add_location() {
  auto location = describe("set_location", "Set location", "Says where the home stands.");
  location.fields = {
      {"latitude", "Degrees, north positive.", 52.52, core::field::Number{-90, 90}, true},
      {"longitude", "Degrees, east positive.", 13.405, core::field::Number{-180, 180}, true},
      {"elevation", "Metres above sea level.", 34, core::field::Integer{-1000, 10'000}},
  };
  add(std::move(location), [this](const core::ServiceCall& call, core::ServiceReply reply) {
    base::ConfigNode::Map changes;
    for (const auto& [key, value] : call.data()) {
      std::string name(key);
      changes.push_back({name, base::ConfigNode({{}, 0, name}, base::to_json(value))});
    }
    answer_later(
        [this, context = call.context(), changes = base::ConfigNode({}, std::move(changes))] {
          auto changed = settings_.change(changes, context);
          // A key that the file sets is the caller's mistake, like a wrong value.
          if (!changed && changed.error().code == base::ErrorCode::conflict)
            changed.error().code = base::ErrorCode::invalid;
          return changed;
        },
        std::move(reply));
  });
}

void HubServices::answer_later(Task task, core::ServiceReply reply) {
  const bool posted = accounts_.post([this, reply, task = std::move(task)](auth::AccountStore&) {
    return auth::Accounts::Reply{[this, reply, done = task()] { reply_on_bus(reply, done); }};
  });
  if (!posted) reply(base::fail(base::ErrorCode::unavailable, "The hub has too much to do with accounts."));
}

void HubServices::reply_on_bus(const core::ServiceReply& reply, const base::Result<void>& done) {
  const std::size_t weight = done ? 0 : done.error().message.size();
  hub_.bus.post(core::EventBus::kSmallTask + weight, [reply, done] {
    if (done)
      reply(json::value());
    else
      reply(std::unexpected(done.error()));
  });
}

}  // namespace hearth::app
