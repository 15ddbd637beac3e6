// SPDX-License-Identifier: Apache-2.0
// A home whose alerts are watched, for tests of them.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/json/json.h"
#include "core/alerts/snoozes.h"

namespace hearth::core {

using Kinds = std::vector<std::string>;

struct AlertTest : testing::Test {
  static constexpr std::string_view kUserId = "0123456789abcdef0123456789abcdef";

  void set(std::string_view id, std::string_view value, std::string_view attributes = "{}") {
    hub.states.set(*EntityId::parse(id), {value, attributes, context()}).value();
  }
  void set_class(std::string_view id, std::string_view device_class, std::string_view value) {
    set(id, value, device_class.empty() ? "{}" : fmt::format(R"({{"device_class":"{}"}})", device_class));
  }
  Context context() { return Context::create(hub.clock.now()); }
  // Registers it, as a part of the device if one is named.
  void put(std::string_view id, std::string device = "", std::string category = "") {
    if (!device.empty()) hub.registry.put_device({.id = device, .integration = "test", .name = device});
    RegisteredEntity entity;
    entity.unique_id = id;
    entity.integration = "test";
    if (!device.empty()) entity.device_id = device;
    if (!category.empty()) entity.entity_category = category;
    hub.registry.put_entity(*EntityId::parse(id), entity).value();
  }
  void edit(const std::string& id, EntityEdit change) {
    ASSERT_TRUE(hub.registry.update_entity(id, std::move(change), context()));
  }
  void pass(base::Duration time) {
    settle();
    clock.advance(time);
    settle();
  }
  // Until all is published.
  void settle() {
    hub.bus.run_pending();
    for (int i = 0; i < 2; ++i) {
      clock.advance(Alerts::kGathering);
      hub.bus.run_pending();
    }
  }
  // "<kind> <entity id>" of all, in their order.
  Kinds now() {
    settle();
    Kinds all;
    const auto list = hub.alerts.list();
    for (const AlertPtr& alert : *list) all.push_back(std::string(alert->rule->kind) + ' ' + alert->entity_id);
    return all;
  }
  AlertPtr only() {
    settle();
    const auto list = hub.alerts.list();
    return list->size() == 1 ? list->front() : nullptr;
  }
  // True if the user has snoozed the only one.
  bool snoozed() {
    const AlertPtr alert = only();
    return alert && snoozed_until(*hub.registry.snapshot(), kUserId, *alert, hub.clock.now());
  }
  base::Result<void> snooze_all() {
    return snooze(hub.registry, std::string(kUserId), *hub.alerts.list(), hub.clock.now(), context());
  }

  base::ManualClock clock;
  // The parts of a hub that alerts are made of.
  struct {
    const base::Clock& clock;
    EventBus bus{clock};
    StateMachine states{bus};
    Registry registry{bus, clock};
    Alerts alerts{bus, states, registry, clock};
  } hub{clock};
  std::vector<std::string> events;  // "<action> <kind> <entity id>"
  Subscription listening = hub.bus.listen(event_type::kAlertUpdated, [this](const Event& event) {
    const json::value data = *base::parse_json(std::get<std::string>(event.data));
    const auto text = [&](std::string_view key) { return std::string(data.at(key).get_string()); };
    events.push_back(text("action") + ' ' + text("kind") + ' ' + text("entity_id"));
  });
};

}  // namespace hearth::core
