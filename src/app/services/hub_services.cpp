// SPDX-License-Identifier: Apache-2.0
#include "app/services/hub_services.h"

#include "api/system/configuration_task.h"
#include "app/sections/home_section.h"
#include "base/log/log.h"
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

HubServices::HubServices(core::Hub& hub, auth::Accounts& accounts, base::TaskThread& configuration, Load load,
                         HomeSettings& settings, MqttSettings& mqtt, templates::CustomTemplates& custom_templates,
                         Save save, Take customize, Take apply_automations, TakeIntegrations apply_integrations,
                         std::function<void(Exit)> request_exit)
    : hub_(hub),
      accounts_(accounts),
      configuration_(configuration),
      load_(std::move(load)),
      settings_(settings),
      mqtt_(mqtt),
      custom_templates_(custom_templates),
      save_(std::move(save)),
      customize_(std::move(customize)),
      take_automations_(std::move(apply_automations)),
      take_integrations_(std::move(apply_integrations)),
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
        answer_from_files([this] { return check_file(); },
                          [this, reply](base::Result<json::value> valid) {
                            const bool restarts = valid.has_value();
                            reply(std::move(valid));
                            if (restarts) request_exit_(Exit::restart);
                          });
      });
  add(describe("check_config", "Check configuration", "Reads configuration.yaml and says what is wrong with it."),
      [this](const core::ServiceCall&, core::ServiceReply reply) {
        answer_from_files([this] { return check_file(); }, std::move(reply));
      });
}

void HubServices::add_reloads() {
  add(describe("reload_core_config", "Reload the home's configuration",
               "Reads configuration.yaml and puts its section home in force."),
      [this](const core::ServiceCall& call, core::ServiceReply reply) {
        reload(
            [this, context = call.context()](const Settings& loaded) -> base::Result<void> {
              if (auto taken = settings_.apply(loaded, context); !taken) return taken;
              customize_(loaded);
              return {};
            },
            std::move(reply));
      });
  add(describe("reload_all", "Reload everything",
               "Reads configuration.yaml and puts in force what needs no restart: its sections home and log and those "
               "of integrations, automations, scripts, scenes, helpers, template entities and sensors made of others."),
      [this](const core::ServiceCall& call, core::ServiceReply reply) {
        reload_all(call.context(), std::move(reply));
      });
  auto mqtt = describe("reload", "Reload the connection",
                       "Reads configuration.yaml and puts its section mqtt in force; what that does not change stays.");
  mqtt.domain = "mqtt";
  registrations_.push_back(
      hub_.services.add(std::move(mqtt), [this](const core::ServiceCall&, core::ServiceReply reply) {
        reload([this](const Settings& loaded) { return mqtt_.apply(loaded); }, std::move(reply));
      }));
  auto modbus = describe("reload", "Reload the hubs",
                         "Reads configuration.yaml and puts its section modbus in force, if it has changed.");
  modbus.domain = "modbus";
  registrations_.push_back(
      hub_.services.add(std::move(modbus), [this](const core::ServiceCall&, core::ServiceReply reply) {
        reload(
            [this](const Settings& loaded) -> base::Result<void> {
              if (auto good = check_sections(loaded, {"modbus"}); !good) return good;
              take_integrations_(loaded, "modbus");
              return {};
            },
            std::move(reply));
      }));
  add(describe("reload_custom_templates", "Reload custom templates",
               "Reads the files that templates import, in the folder custom_templates."),
      [this](const core::ServiceCall&, core::ServiceReply reply) {
        answer_from_files([this] { return custom_templates_.reload(); }, std::move(reply));
      });
}

void HubServices::reload_all(const core::Context& context, core::ServiceReply reply) {
  reload([this, context](const Settings& loaded) { return apply_all(loaded, context); }, std::move(reply));
}

base::Result<void> HubServices::apply_all(const Settings& loaded, const core::Context& context) {
  if (auto good = check_sections(loaded, {kHomeKey, "log", "mqtt"}); !good) return good;
  if (auto taken = settings_.apply(loaded, context); !taken) return taken;
  customize_(loaded);
  base::set_log_level(loaded.log_level);
  base::set_log_style(loaded.log_style);
  take_automations_(loaded);
  take_integrations_(loaded, {});
  return mqtt_.apply(loaded);
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

void HubServices::answer_from_files(Task task, core::ServiceReply reply) {
  const bool posted = configuration_.post([this, reply, task = std::move(task)] { reply_on_bus(reply, task()); });
  if (!posted) reply(base::fail(base::ErrorCode::unavailable, std::string(api::kConfigurationBusy)));
}

void HubServices::reload(Use use, core::ServiceReply reply) {
  const bool posted = configuration_.post([this, reply, use = std::move(use)] {
    const auto loaded = load_();
    if (!loaded) return reply_on_bus(reply, std::unexpected(loaded.error()));
    answer_later([use, loaded = *loaded] { return use(*loaded); }, reply);
  });
  if (!posted) reply(base::fail(base::ErrorCode::unavailable, std::string(api::kConfigurationBusy)));
}

base::Result<void> HubServices::check_file() const {
  const auto warnings = settings_.check_file();
  if (!warnings) return std::unexpected(warnings.error());
  return {};
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
