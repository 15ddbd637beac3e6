// SPDX-License-Identifier: Apache-2.0
// For tests: a mirror in a home of its own, with a made hub there. Text in, text out.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/client_entity.h"
#include "domains/entities/kinds.h"
#include "domains/test_home.h"
#include "integrations/home_assistant/mirror/mirror.h"

namespace hearth::integrations::home_assistant {

class TestLink final : public HubLink {
 public:
  void send(std::uint64_t, json::object, std::chrono::milliseconds) override {}
  void subscribe(std::uint64_t, json::object) override {}
  void unsubscribe(std::uint64_t) override {}
  void reconnect() override {}
  void ask_again() override { ++asked; }
  void tell_again(const std::string& entity_id) override { told.push_back(entity_id); }

  int asked = 0;
  std::vector<std::string> told;
};

class TestContexts final : public ContextSource {
 public:
  std::optional<core::Context> context_of(std::string_view, const OtherContext& context, bool last) override {
    if (!last && unknown.contains(context.id)) return {};
    return core::Context{context.id, {}, {}};
  }
  void reported(std::string_view entity_id, const OtherContext&) override { reports.emplace_back(entity_id); }

  core::Texts unknown;  // ids of contexts that are not known yet
  std::vector<std::string> reports;
};

// An entity there of the platform hue, with the unique id `u-<entity id>`.
inline OtherEntity entity_there(const std::string& id, std::string unique_id = {}) {
  OtherEntity entity;
  entity.entity_id = id;
  entity.unique_id = unique_id.empty() ? "u-" + id : std::move(unique_id);
  entity.platform = "hue";
  entity.original_name = "Name of " + id;
  return entity;
}

struct MirrorHome {
  explicit MirrorHome(Options given = {},
                      std::shared_ptr<domains::TestHome> with = std::make_shared<domains::TestHome>())
      : home(std::move(with)), options(std::move(given)), place(home->place("home_assistant")) {
    auto connection = *place.connection;
    connection.entry_id = "ENTRY-" + options.name;
    place.connection = std::make_shared<const core::Connection>(std::move(connection));
    mirror = std::make_unique<Mirror>(place, options, contexts, link);
  }

  void start() {
    mirror->start();
    home->hub.bus.run_pending();
  }
  // Starts, connects, and has all that is there.
  void connect() {
    if (!started) start();
    started = true;
    mirror->connected({.version = "2026.2.3", .uuid = "there"});
    list();
    show(true);
  }
  void list() {
    mirror->take(registries());
    home->hub.bus.run_pending();
  }
  Registries registries() const {
    Registries all;
    all.floors = floors;
    all.areas = areas;
    all.labels = labels;
    all.devices = devices;
    for (const auto& [id, entity] : entities) all.entities.push_back(entity);
    all.complete = complete;
    return all;
  }
  void show(bool running) {
    Picture picture{.states = {}, .running = running};
    for (const auto& [id, value] : states) picture.states.push_back(state(id));
    mirror->take(std::move(picture));
    home->hub.bus.run_pending();
  }
  OtherState state(const std::string& id) {
    const auto found = attributes.find(id);
    return {.entity_id = id,
            .value = states.at(id),
            .attributes = found == attributes.end() ? json::object{{"friendly_name", "Name of " + id}} : found->second,
            .last_changed = time,
            .last_updated = time,
            .context = {.id = context}};
  }
  // Adds one to the home there, before it is connected.
  OtherEntity& there(const std::string& id, const std::string& value) {
    states[id] = value;
    return entities.emplace(id, entity_there(id)).first->second;
  }
  void change(const std::string& id, const std::string& value) {
    states[id] = value;
    Changes changes;
    changes.changes.push_back({id, state(id)});
    mirror->take(std::move(changes));
    home->hub.bus.run_pending();
  }
  void lose_state(const std::string& id) {
    states.erase(id);
    Changes changes;
    changes.changes.push_back({id, {}});
    mirror->take(std::move(changes));
    home->hub.bus.run_pending();
  }
  void lose() {
    mirror->lost();
    home->hub.bus.run_pending();
  }

  std::shared_ptr<const core::RegistryData> data() const { return home->hub.registry.snapshot(); }
  const core::RegisteredEntity& entry(std::string_view id) const { return data()->entities.at(id); }
  bool registered(std::string_view id) const { return data()->entities.contains(id); }
  std::string value(std::string_view id) const { return home->value(id); }
  // "light.a light.a mirrored, light.b - excluded"
  std::string list_text(std::optional<Fate> fate = {}) const {
    std::string text;
    for (const Listed& each : mirror->list(fate)) {
      text += (text.empty() ? "" : ", ") + each.entity_id_there + ' ' +
              (each.entity_id_here.empty() ? "-" : each.entity_id_here) + ' ' + std::string(to_string(each.fate));
    }
    return text;
  }
  // Registers an entity of this hub's own.
  core::RegisteredEntity own(const std::string& id, std::string integration, std::string unique_id,
                             OptionalText device = {}, const std::string& value = "off") {
    core::RegisteredEntity made{.unique_id = std::move(unique_id), .integration = std::move(integration)};
    made.device_id = std::move(device);
    const auto entry = home->hub.registry.put_entity(core::EntityId::parse(id).value(), std::move(made)).value();
    static_cast<void>(home->hub.states.set(core::EntityId::parse(entry.entity_id).value(),
                                           {value, "{}", core::Context::create(home->clock.now())}));
    home->hub.bus.run_pending();
    return entry;
  }

  std::shared_ptr<domains::TestHome> home;
  Options options;
  domains::IntegrationHome place;
  TestLink link;
  TestContexts contexts;
  std::unique_ptr<Mirror> mirror;
  std::vector<OtherFloor> floors;
  std::vector<OtherArea> areas;
  std::vector<OtherLabel> labels;
  std::vector<OtherDevice> devices;
  std::map<std::string, OtherEntity> entities;
  std::map<std::string, std::string> states;
  std::map<std::string, json::object> attributes;
  base::Timestamp time = base::Timestamp(std::chrono::sys_days(std::chrono::year(2026) / 11 / 20));
  std::string context = "C1";
  bool complete = true, started = false;
};

}  // namespace hearth::integrations::home_assistant
