// SPDX-License-Identifier: Apache-2.0
// For unit tests: a home with a broker of the test's own, and one entity that is described.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "domains/test_home.h"
#include "integrations/mqtt/connection/test_broker.h"
#include "integrations/mqtt/discovery/discovery.h"

namespace hearth::integrations::mqtt {

class ComponentTest : public testing::Test {
 protected:
  ComponentTest() { EXPECT_TRUE(discovery.start()); }

  void receive(std::string topic, std::string payload, bool retain = false) {
    broker.receive(std::move(topic), std::move(payload), retain);
    home.hub.bus.run_pending();
  }
  // The entity <component>.it.
  void describe(std::string_view component, std::string_view keys) {
    receive(fmt::format("homeassistant/{}/it/config", component), fmt::format(R"({{"object_id":"it",{}}})", keys));
    const json::object row = discovery.report().at(0).get_object();
    EXPECT_EQ(row.at("verdict"), "made") << base::to_json(row);
  }
  std::string value(std::string_view id) { return home.value(id); }
  std::string attribute(std::string_view id, std::string_view key) { return home.attribute(id, key); }
  // The call's messages.
  std::string sent(std::string_view service, std::string_view data = "") {
    broker.published.clear();
    const std::string domain(service.substr(0, service.find('.')));
    const std::string answer =
        home.call(service, fmt::format(R"({{"entity_id":"{}.it"{}{}}})", domain, data.empty() ? "" : ",", data));
    std::string text = answer.starts_with("invalid") || answer.starts_with("failed") ? answer : "";
    for (const std::string& each : broker.published) text += (text.empty() ? "" : " ") + each;
    return text;
  }

  domains::TestHome home;
  TestBroker broker;
  Discovery discovery{home.place(), broker, "homeassistant"};
};

}  // namespace hearth::integrations::mqtt
