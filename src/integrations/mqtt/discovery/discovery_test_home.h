// SPDX-License-Identifier: Apache-2.0
// For unit tests of discovery: a home and a broker without a network; messages and results are texts.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>

#include "domains/test_home.h"
#include "integrations/mqtt/connection/test_broker.h"
#include "integrations/mqtt/discovery/discovery.h"

namespace hearth::integrations::mqtt {

class DiscoveryHome : public testing::Test {
 protected:
  DiscoveryHome() { begin(); }

  void begin() {
    discovery = std::make_unique<Discovery>(home.place(), broker, "homeassistant");
    EXPECT_TRUE(discovery->start());
    home.hub.bus.run_pending();
  }
  void receive(std::string topic, std::string payload, bool retain = false) {
    broker.receive(std::move(topic), std::move(payload), retain);
    home.hub.bus.run_pending();
  }
  // A component of the device "lab".
  void describe(std::string_view component, std::string_view id, std::string_view keys, bool retain = false) {
    receive(fmt::format("homeassistant/{}/{}/config", component, id),
            fmt::format(R"({{"unique_id":"{}","device":{{"identifiers":"lab","name":"Lab"}},{}}})", id, keys), retain);
  }
  // "made", or the verdict with its reason, of the only row or of the topic's.
  std::string verdict(std::string_view topic = {}) {
    for (const json::value& row : discovery->report()) {
      const json::object& object = row.get_object();
      if (!topic.empty() && std::string_view(object.at("topic").get_string()) != topic) continue;
      std::string text(object.at("verdict").get_string());
      if (object.at("reason").is_string()) text += ": " + std::string(object.at("reason").get_string());
      return text;
    }
    return "nothing";
  }
  std::string value(std::string_view id) { return home.value(id); }
  std::string attribute(std::string_view id, std::string_view key) { return home.attribute(id, key); }
  // The answer of the call, then the messages that were sent.
  std::string call(std::string_view service, std::string_view data) {
    broker.published.clear();
    std::string text = home.call(service, data) + " |";
    for (const std::string& each : broker.published) text += ' ' + each;
    return text;
  }

  domains::TestHome home;
  TestBroker broker;
  std::unique_ptr<Discovery> discovery;
};

}  // namespace hearth::integrations::mqtt
