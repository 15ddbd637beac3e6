// SPDX-License-Identifier: Apache-2.0
#include "integrations/esphome/node/hub_requests.h"

#include <gtest/gtest.h>

#include "integrations/esphome/node/test_node.h"

namespace hearth::integrations::esphome {
namespace {

class HubRequestsTest : public testing::Test {
 protected:
  static proto::HubRequest asked(std::string service, const std::map<std::string, std::string>& data = {}) {
    proto::HubRequest request;
    request.set_service(std::move(service));
    for (const auto& [key, value] : data) {
      auto& made = *request.add_data();
      made.set_key(key);
      made.set_value(value);
    }
    return request;
  }
  void write(std::string_view entity_id, std::string_view value, std::string_view attributes = "{}") {
    ASSERT_TRUE(node.home.hub.states.set(core::EntityId::parse(entity_id).value(),
                                         {value, attributes, core::Context::create(node.home.clock.now())}));
    node.home.hub.bus.run_pending();
  }
  void want(std::string entity_id, std::string attribute = {}, bool once = false) {
    proto::StateWanted wanted;
    wanted.set_entity_id(std::move(entity_id));
    wanted.set_attribute(std::move(attribute));
    wanted.set_once(once);
    node.says(message::state_wanted, wanted);
  }
  static std::string given(std::string entity_id, std::string value, std::string attribute = {}) {
    proto::StateGiven made;
    made.set_entity_id(std::move(entity_id));
    made.set_state(std::move(value));
    made.set_attribute(std::move(attribute));
    return "40 " + hex_of_bytes(made.SerializeAsString());
  }

  TestNode node;
};

TEST_F(HubRequestsTest, FireTheNodesEvents) {
  std::vector<std::string> heard;
  const auto listening = node.home.bus.listen(
      "esphome.pressed", [&](const core::Event& event) { heard.push_back(std::get<std::string>(event.data)); });
  node.connect();
  auto request = asked("esphome.pressed", {{"which", "one"}});
  request.set_is_event(true);
  request.set_call_id(3);
  node.says(message::hub_request, request);
  EXPECT_EQ(heard, (std::vector<std::string>{R"({"which":"one","device_id":"esphome.01:23:45:67:89:ab"})"}));
  EXPECT_EQ(node.last_sent(),
            "130 0803"
            "1001");
  request.set_service("state_changed");
  node.says(message::hub_request, request);
  EXPECT_TRUE(node.last_sent().starts_with("130 08031a")) << "an error";
}

TEST_F(HubRequestsTest, DoNotCallServicesUnlessAllowed) {
  node.connect();
  bool told = false;
  node.node().requests().on_refused([&] { told = true; });
  auto request = asked("light.turn_on", {{"entity_id", "light.hall"}});
  node.says(message::hub_request, request);
  EXPECT_EQ(node.last_sent(), "") << "it wants no answer";
  request.set_call_id(1);
  node.says(message::hub_request, request);
  EXPECT_TRUE(node.last_sent().starts_with("130 08011a"));
  EXPECT_EQ(node.node().requests().refused(), (std::set<std::string>{"light.turn_on"}));
  EXPECT_TRUE(told);
}

core::ServiceDescription described(std::string service, bool administrator) {
  core::ServiceDescription made;
  made.domain = "test";
  made.service = std::move(service);
  made.hands_on = true;
  made.has_target = false;
  made.administrator = administrator;
  return made;
}

TEST(HubRequests, CallServicesIfAllowedButNoneOfAdministrators) {
  TestNode node({.host = "node", .allow_service_calls = true});
  std::vector<std::string> calls;
  const auto plain = node.home.hub.services.add(described("go", false),
                                                [&](const core::ServiceCall& call, const core::ServiceReply& reply) {
                                                  calls.push_back(base::to_json(json::value(call.data())));
                                                  reply(json::value(json::object{{"done", true}}));
                                                });
  const auto theirs = node.home.hub.services.add(
      described("rule", true),
      [&](const core::ServiceCall&, const core::ServiceReply& reply) { reply(json::value()); });
  node.connect();
  proto::HubRequest request;
  request.set_service("test.go");
  auto& data = *request.add_data();
  data.set_key("a");
  data.set_value("b");
  auto& text = *request.add_data_template();
  text.set_key("sum");
  text.set_value("{{ 1 + n | int }}");
  auto& variable = *request.add_variables();
  variable.set_key("n");
  variable.set_value("2");
  request.set_call_id(5);
  node.says(message::hub_request, request);
  EXPECT_EQ(calls, (std::vector<std::string>{R"({"a":"b","sum":"3"})"}));
  EXPECT_EQ(node.last_sent(),
            "130 0805"
            "1001");
  request.clear_data_template();
  request.set_service("test.rule");
  node.says(message::hub_request, request);
  EXPECT_TRUE(node.last_sent().starts_with("130 08051a")) << node.last_sent();
  request.set_service("nonsense");
  node.says(message::hub_request, request);
  EXPECT_TRUE(node.last_sent().starts_with("130 08051a"));
}

TEST_F(HubRequestsTest, TellStatesNowAndAtEachChange) {
  write("sensor.outside", "5", R"({"heat_index":7})");
  node.connect();
  want("sensor.outside");
  EXPECT_EQ(node.last_sent(), given("sensor.outside", "5"));
  want("sensor.outside", "heat_index");
  EXPECT_EQ(node.last_sent(), given("sensor.outside", "7", "heat_index"));
  node.sent.clear();
  write("sensor.outside", "6", R"({"heat_index":7})");
  EXPECT_EQ(node.sent, (std::vector<std::string>{given("sensor.outside", "6")}));
  want("sensor.absent");
  EXPECT_EQ(node.sent.size(), 1u) << "nothing while it is absent";
  write("sensor.absent", "here");
  EXPECT_EQ(node.last_sent(), given("sensor.absent", "here"));
  want("sensor.once", "", true);
  node.sent.clear();
  write("sensor.once", "1");
  EXPECT_EQ(node.last_sent(), "");
  want("no entity");
  EXPECT_EQ(node.ended, "");
}

TEST_F(HubRequestsTest, AreForgottenWithTheSession) {
  write("sensor.outside", "5");
  node.connect();
  want("sensor.outside");
  node.says(message::disconnect);
  node.connect();
  write("sensor.outside", "6");
  EXPECT_EQ(node.last_sent(), "");
}

TEST_F(HubRequestsTest, HaveBounds) {
  node.connect();
  for (std::size_t i = 0; i < 10 * HubRequests::kMaxStates; ++i) want(fmt::format("sensor.s{}", i));
  node.sent.clear();
  write(fmt::format("sensor.s{}", HubRequests::kMaxStates - 1), "1");
  EXPECT_EQ(node.sent.size(), 1u);
  write(fmt::format("sensor.s{}", HubRequests::kMaxStates), "1");
  EXPECT_EQ(node.sent.size(), 1u);
  std::size_t heard = 0;
  const auto listening = node.home.bus.listen("esphome.e", [&](const core::Event&) { ++heard; });
  auto request = asked("esphome.e");
  request.set_is_event(true);
  for (std::size_t i = 0; i < 10 * HubRequests::kMaxPerSecond; ++i) node.says(message::hub_request, request);
  EXPECT_EQ(heard, HubRequests::kMaxPerSecond);
  node.home.advance(std::chrono::seconds(1));
  node.says(message::hub_request, request);
  EXPECT_EQ(heard, HubRequests::kMaxPerSecond + 1);
}

}  // namespace
}  // namespace hearth::integrations::esphome
