// SPDX-License-Identifier: Apache-2.0
// How the app's automations and template entities go on after a restart, how their configuration is read again, and
// which one is kept as the last good one; and what is forgotten with an integration.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "api/system/configuration_task.h"
#include "app/app.h"
#include "app/files/last_good.h"
#include "app/sections/mqtt_sections.h"
#include "automation/items/helper_parser.h"
#include "automation/items/scene_parser.h"
#include "base/log/log.h"
#include "core/registry/integration_parts.h"

namespace hearth::app {

base::Result<void> App::restore_automations() {
  const auto under_way = journal_->entries();
  if (!under_way) return std::unexpected(under_way.error());
  automations_.use(*journal_, *under_way);
  domains_.helpers().use(*journal_);
  helpers_.use(*journal_);
  journal_->start();
  stops_.push([this] { journal_->stop(); });
  suggestions_.use(*recorder_);
  return {};
}

void App::customize(const Settings& loaded) {
  hub_.customizations.publish(std::make_shared<const core::Customizations>(loaded.customizations));
  hub_.bus.post([this] { domains_.entities().customize(); });
}

void App::keep_last_good() {
  LastGood last_good(folder_);
  last_good.end_start();
  if (settings_.is_last_good || !settings_.files) return;
  if (const auto kept = last_good.keep(*settings_.files, settings_.good); !kept)
    base::log_warning("config", "the configuration of this start is not kept: {}", kept.error().message);
}

void App::reload(const core::ServiceReply& reply, std::function<void(const Settings& loaded)> apply) {
  const bool posted = configuration_.post([this, reply, apply = std::move(apply)] {
    const auto loaded = read_configuration_.load();
    if (loaded) return apply(**loaded);
    hub_.bus.post(core::EventBus::kSmallTask + loaded.error().message.size(),
                  [reply, why = loaded.error()] { reply(std::unexpected(why)); });
  });
  if (!posted) reply(base::fail(base::ErrorCode::unavailable, std::string(api::kConfigurationBusy)));
}

void App::reload_all() {
  base::log_info("hub", "SIGHUP received: the configuration is read again");
  if (tls_) tls_->reload();
  services_.reload_all(core::Context::create(clock_.now()), [](const base::Result<json::value>& done) {
    if (done)
      base::log_info("hub", "all that needs no restart is in force");
    else
      base::log_lines(base::LogLevel::warning, "hub", "nothing has changed: " + done.error().message);
  });
}

void App::name_user(const std::optional<base::Id>& id, std::function<void(std::string)> then) {
  const bool posted = id && gate_.accounts.post([user_id = *id, then](auth::AccountStore& store) {
    const auto user = store.find_user_by_id(user_id);
    return auth::Accounts::Reply{[then, name = user ? user->display_name : std::string()] { then(name); }};
  });
  if (!posted) then({});
}

void App::forget_entities(const std::vector<std::string>& items) {
  for (const std::string& item : items) {
    const std::size_t dot = item.find('.');
    const std::string domain = item.substr(0, dot);
    const auto registry = hub_.registry.snapshot();
    const std::string_view integration =
        domain == "scene" ? domains::FileScenes::kIntegration : std::string_view(domain);
    const core::RegisteredEntity* const entity = registry->find_entity(integration, domain, item.substr(dot + 1));
    if (!entity) continue;
    hub_.registry.forget_entity(entity->id);
  }
}

void App::end_integration(const std::string& name, bool with_areas, api::IntegrationFiles::Gone gone) {
  hub_.bus.post([this, name, with_areas, gone = std::move(gone)] {
    connections_.remove_section(name);
    auto parts = core::parts_of_integration(*hub_.registry.snapshot(), name, *automation_records_.named());
    if (!with_areas) {
      parts.areas.clear();
      parts.floors.clear();
    }
    hub_.registry.forget_integration(parts);
    gone(parts);
  });
}

void App::forget_connection(const core::Connection& connection) {
  auto parts = core::parts_of(connection, *hub_.registry.snapshot(), {});
  parts.areas.clear();
  parts.floors.clear();
  hub_.registry.forget_integration(parts);
}

void App::tell_item_updated(const ItemRevisions::Item& item, const std::string& user_id) {
  const auto context =
      core::Context::create(clock_.now(), user_id.empty() ? std::optional<base::Id>() : base::Id(user_id));
  const json::object data{{"domain", item.domain}, {"item_id", item.id}};
  hub_.bus.fire("config_item_updated", base::to_json(data), core::Origin::local, context);
}

void App::configure() {
  using automation::Sections;
  const auto add = [this](auto& part, auto read, std::string_view reloaded = {}) {
    const Configured& kind = configured_.emplace_back(std::move(read), reloaded);
    part.add_services([this, &kind](const core::Context& context, core::ServiceReply reply) {
      reload_configured(kind, context, std::move(reply));
    });
  };
  add(helpers_, [this](const Sections& files) {
    return [this, read = automation::parse_helpers(files)] {
      helpers_.apply(read);
      domains_.zones().apply(read.zones, read.complete);
    };
  });
  add(
      domains_.file_scenes(),
      [this](const Sections& files) {
        return [this, read = automation::parse_scenes(files)] { domains_.file_scenes().apply(read); };
      },
      "scene_reloaded");
  add(template_entities_, [this](const Sections& files) {
    return [this, read = template_entities::parse_configuration(files)] { template_entities_.apply(read); };
  });
  add(derived_sensors_, [this](const Sections& files) {
    return [this, read = derived::parse_configuration(files)] { derived_sensors_.apply(read); };
  });
  add(notifiers_, [this](const Sections& files) {
    return [this, read = building_blocks::parse_notifiers(files)] { notifiers_.apply(read); };
  });
  add(rest_commands_, [this](const Sections& files) {
    return [this, read = building_blocks::parse_rest_commands(files)] { rest_commands_.apply(read); };
  });
  add(shell_commands_, [this](const Sections& files) {
    return [this, read = building_blocks::parse_shell_commands(files)] { shell_commands_.apply(read); };
  });
  add(polled_entities_, [this](const Sections& files) {
    return [this, read = building_blocks::parse_blocks(files)] { polled_entities_.apply(read); };
  });
  add(
      automations_,
      [this](const Sections& files) {
        return [this, read = automation::parse_configuration(files)] { automations_.apply(read); };
      },
      "automation_reloaded");
}

void App::reload_configured(const Configured& kind, const core::Context& context, core::ServiceReply reply) {
  reload(reply, [this, &kind, context, reply](const Settings& loaded) {
    hub_.bus.post([this, &kind, context, reply, apply = kind.read(loaded.automations)] {
      apply();
      if (!kind.reloaded.empty()) hub_.bus.fire(kind.reloaded, "{}", core::Origin::local, context);
      reply(json::value());
    });
  });
}

void App::apply_configured(const Settings& loaded, std::function<void()> then) {
  std::vector<std::function<void()>> all;
  for (const Configured& kind : configured_) all.push_back(kind.read(loaded.automations));
  hub_.bus.post([all = std::move(all), then = std::move(then)] {
    for (const auto& apply : all) apply();
    then();
  });
}

void App::apply_integrations(const Settings& loaded, std::string_view only) {
  std::vector<std::pair<const IntegrationFactory*, std::optional<base::ConfigNode>>> sections;
  for (const IntegrationFactory& factory : known_) {
    if (factory.name == kMqttKey || (!only.empty() && factory.name != only)) continue;
    if (std::ranges::find(loaded.wrong, factory.name) != loaded.wrong.end()) continue;
    const auto found = std::ranges::find(loaded.integrations, factory.name, &IntegrationSettings::name);
    sections.emplace_back(&factory, found == loaded.integrations.end() ? std::nullopt : std::optional(found->options));
  }
  hub_.bus.post([this, sections = std::move(sections)] {
    for (const auto& [factory, section] : sections) connections_.apply_section(*factory, section ? &*section : nullptr);
  });
}

}  // namespace hearth::app
