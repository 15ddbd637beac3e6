// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "automation/test_automations.h"
#include "core/device_delegate.h"

namespace hearth::automation {
namespace {

using namespace std::chrono_literals;

// A hub whose device is `button`; it has the entity sensor.button.
class ElsewhereHub final : public core::Provider, public core::DeviceDelegate {
 public:
  explicit ElsewhereHub(core::Hub& hub) : provides_(hub.services.providers().add("other", *this)) {}

  void call(const core::ServiceRequest&, const std::vector<std::string>&, core::ServiceReply reply) override {
    reply(json::value());
  }
  std::string hub_name() const override { return "other (Home Assistant)"; }
  bool has_device(std::string_view device_id) const override { return device_id == "button"; }
  std::weak_ptr<const void> alive() const override { return alive_; }
  base::Handle watch(json::object trigger, Fire fired) override {
    watched.push_back(base::to_json(trigger));
    fire = std::move(fired);
    return base::Handle([] {});
  }
  base::Handle keep(json::object condition) override {
    kept.push_back(base::to_json(condition));
    return base::Handle([] {});
  }
  base::Result<bool> holds(const json::object&) const override { return answer; }
  void run(json::object, const core::Context&, core::ServiceReply reply) override { reply(json::value()); }

  std::vector<std::string> watched, kept;
  Fire fire;
  base::Result<bool> answer = true;

 private:
  const std::shared_ptr<const bool> alive_ = std::make_shared<const bool>(true);
  const base::Handle provides_;
};

struct DelegatedTest : testing::Test {
  DelegatedTest() {
    const core::EntityId id = *core::EntityId::parse("sensor.button");
    core::RegisteredEntity entity{.unique_id = "button", .integration = "zha"};
    entity.provider = "other";
    home.home.hub.registry.put_entity(id, std::move(entity)).value();
    home.run();
  }
  void begin() { hub.emplace(home.home.hub); }
  void look() { home.advance(2s); }
  static constexpr const char* kTrigger =
      R"({"trigger": "device", "id": "press", "device_id": "button", "domain": "zha", "type": "remote_press",)"
      R"( "subtype": "left"})";
  static constexpr const char* kCondition =
      R"("conditions": [{"condition": "device", "device_id": "button", "domain": "zha", "type": "is_armed"}])";
  static constexpr const char* kNote =
      R"([{"action": "test.note", "data": {"text": "{{ trigger.id }} {{ trigger.x }}"}}])";

  TestAutomations home;
  std::optional<ElsewhereHub> hub;
};

TEST_F(DelegatedTest, AnUnknownTriggerOfADeviceIsAskedOfItsHubAlsoOfOneThatComesLater) {
  home.apply_one(kTrigger, kNote);
  EXPECT_EQ(home.noted(), "");
  begin();
  look();
  ASSERT_EQ(hub->watched.size(), 1u);
  EXPECT_EQ(hub->watched[0],
            R"({"device_id":"button","domain":"zha","type":"remote_press","subtype":"left","platform":"device"})");
  const core::Context cause = core::Context::create(home.home.clock.now());
  hub->fire({{"x", 1}, {"id", "theirs"}, {"description", "left was pressed"}}, cause);
  home.run();
  EXPECT_EQ(home.noted(), "press 1");
  const std::string trace = home.newest_trace("automation", "one");
  EXPECT_NE(trace.find("other (Home Assistant): left was pressed"), std::string::npos) << trace;
  begin();  // another object of the same hub
  look();
  EXPECT_EQ(hub->watched.size(), 1u);
}

TEST_F(DelegatedTest, AnUnknownConditionIsAskedOfTheHubFromTheBeginningOn) {
  begin();
  home.apply_one(R"({"trigger": "event", "event_type": "go"})", R"([{"action": "test.note", "data": {"text": "ran"}}])",
                 kCondition);
  ASSERT_EQ(hub->kept.size(), 1u);
  EXPECT_EQ(hub->kept[0], R"({"device_id":"button","domain":"zha","type":"is_armed","condition":"device"})");
  home.fire("go");
  EXPECT_EQ(home.noted(), "ran");
  hub->answer = false;
  home.fire("go");
  EXPECT_EQ(home.noted(), "");
  hub->answer = base::fail(base::ErrorCode::unavailable, "It has not said.");
  home.fire("go");
  EXPECT_EQ(home.noted(), "");
  hub.reset();
  home.fire("go");
  EXPECT_EQ(home.noted(), "");
}

TEST_F(DelegatedTest, AnUnknownStepIsACallOfTheIntegrationOfOtherHubs) {
  std::string action;
  core::ServiceDescription description;
  description.domain = "home_assistant";
  description.service = "device_action";
  description.has_target = false;
  description.hands_on = true;
  const auto service =
      home.home.hub.services.add(description, [&](const core::ServiceCall& call, const core::ServiceReply& reply) {
        action = base::to_json(call.data());
        reply(json::value());
      });
  home.run_steps(R"([{"device_id": "button", "domain": "zha", "type": "squawk", "alias": "Loud"}])");
  EXPECT_EQ(action, R"({"action":{"device_id":"button","domain":"zha","type":"squawk"}})");
}

}  // namespace
}  // namespace hearth::automation
