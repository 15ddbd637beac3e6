// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/calls/delegation.h"

#include "integrations/home_assistant/calls/bridge_services.h"
#include "integrations/home_assistant/calls/calls_test_home.h"

namespace hearth::integrations::home_assistant {
namespace {

using namespace std::chrono_literals;

struct DelegationTest : CallsTest {
  DelegationTest() {
    mirror("light.a_x");
    begin();
  }
  core::DeviceDelegate& delegate() {
    core::DeviceDelegate* const found = core::find_delegate(home.hub, "device_here");
    if (!found) throw std::logic_error("there is no delegate");
    return *found;
  }
  static json::object object(const char* text) { return base::parse_json(text).value().as_object(); }
  void fire_last(const char* event) {
    requests.receive(Message{link.sent.back().number, base::parse_json(event).value()});
    home.hub.bus.run_pending();
  }
  void say(bool holds) {
    requests.receive(Answer{.number = link.sent.back().number, .result = json::object{{"result", holds}}});
  }
  const json::object trigger =
      object(R"({"domain":"zha","device_id":"device_here","type":"press","platform":"device"})");
  const json::object condition =
      object(R"({"domain":"zha","device_id":"device_here","type":"is","condition":"device"})");
};

TEST_F(DelegationTest, ATriggerIsSubscribedToOnceThatHubRunsAndAgainAfterALoss) {
  std::vector<std::string> fired;
  const auto watch = delegate().watch(trigger, [&](json::object told, const core::Context& cause) {
    fired.push_back(base::to_json(told) + " " + std::string(cause.id.str()));
  });
  calls->take(Opened{{.version = "2026.2.3", .user_id = "token_user"}});
  EXPECT_TRUE(link.sent.empty());
  calls->take(Running{});
  calls->take(Picture{.states = {}, .running = true});
  ASSERT_EQ(link.sent.size(), 1u);
  EXPECT_EQ(sent(), R"({"type":"subscribe_trigger","trigger":[{"domain":"zha","device_id":"device_there",)"
                    R"("type":"press","platform":"device"}]})");
  fire_last(R"({"variables":{"trigger":{"entity_id":"light.x","description":"pressed"}},"context":{"id":"C1"}})");
  EXPECT_EQ(fired, (std::vector<std::string>{R"({"entity_id":"light.a_x","description":"pressed"} C1)"}));
  calls->lost();
  requests.receive(Lost{});
  connect();
  EXPECT_EQ(link.sent.size(), 2u);
  fire_last("{}");
  EXPECT_EQ(fired.size(), 2u);
}

TEST_F(DelegationTest, AWatchEndsWithItsHandleAndMayOutliveTheInstance) {
  connect();
  auto watch = delegate().watch(trigger, [](json::object, const core::Context&) { ADD_FAILURE(); });
  watch = {};
  EXPECT_EQ(link.ended.size(), 1u);
  fire_last("{}");
  watch = delegate().watch(trigger, [](json::object, const core::Context&) {});
  auto kept = delegate().keep(condition);
  const auto alive = delegate().alive();
  calls.reset();
  EXPECT_TRUE(alive.expired());
  watch = {};
  kept = {};
}

TEST_F(DelegationTest, AReaderCannotSubscribe) {
  connect();
  const auto watch = delegate().watch(trigger, [](json::object, const core::Context&) {});
  refuse_last(R"({"code":"unauthorized","message":"Unauthorized"})");
  EXPECT_EQ(rights_missing, (std::vector<bool>{false, true}));
}

TEST_F(DelegationTest, AConditionHasTheLastAnswer) {
  connect();
  const auto kept = delegate().keep(condition);
  const auto again = delegate().keep(condition);
  ASSERT_EQ(link.sent.size(), 1u);
  EXPECT_EQ(sent(), R"({"type":"test_condition","condition":{"domain":"zha","device_id":"device_there",)"
                    R"("type":"is","condition":"device"}})");
  EXPECT_FALSE(delegate().holds(condition));
  say(true);
  EXPECT_EQ(delegate().holds(condition), true);
  home.advance(Delegation::kAskAgain);
  ASSERT_EQ(link.sent.size(), 2u);
  say(false);
  EXPECT_EQ(delegate().holds(condition), false);
  calls->lost();
  EXPECT_EQ(delegate().holds(condition).error().code, base::ErrorCode::unreachable);
  connect();
  EXPECT_EQ(link.sent.size(), 3u);
}

TEST_F(DelegationTest, AnActionRunsThereWithTheCallersContext) {
  connect();
  BridgeServices bridge(home.hub, {});
  const auto call = home.begin("home_assistant.device_action",
                               R"({"action":{"device_id":"device_here","domain":"zha","type":"squawk"}})");
  EXPECT_EQ(sent(), R"({"type":"execute_script","sequence":[{"device_id":"device_there","domain":"zha",)"
                    R"("type":"squawk"}]})");
  answer_last("C1");
  EXPECT_EQ(call->text(), "");
  EXPECT_EQ(contexts->mapped({.id = "C1"}).id, call->context_id);
  EXPECT_EQ(home.call("home_assistant.device_action", R"({"action":{"device_id":"other"}})"),
            "invalid: No hub is connected that knows the device other.");
}

}  // namespace
}  // namespace hearth::integrations::home_assistant
