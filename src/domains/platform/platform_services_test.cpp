// SPDX-License-Identifier: Apache-2.0
#include "domains/platform/platform_services.h"

#include "domains/climate/climate.h"
#include "domains/entities/kinds.h"
#include "domains/entities/test_device.h"
#include "domains/test_home.h"

namespace hearth::domains {
namespace {

class Heater final : public ClimateDevice {
 public:
  void set(const ClimateCommand&) override {}
};

class PlatformServicesTest : public testing::Test {
 protected:
  PlatformServicesTest() {
    lamp.thing = &home.add(std::make_unique<Thing>(kSwitch, test_entity("lamp"), Abilities(), &lamp));
    cover.thing = &home.add(std::make_unique<Thing>(kCover, test_entity("blind"), Abilities(), &cover));
    lamp.thing->report({.value = false});
    cover.thing->report({.value = "closed"});
    home.hub.bus.run_pending();
  }

  TestDevice lamp, cover, slow_device, bolt;
  Heater heater;
  TestHome home;
  Thing& slow = home.add(std::make_unique<Thing>(kSwitch, test_entity("slow"), Abilities(), &slow_device));
  Thing& sensor = home.add(std::make_unique<Thing>(kSensor, test_entity("attic")));
};

TEST_F(PlatformServicesTest, TurnsOnWhateverItIs) {
  EXPECT_EQ(home.call("platform.turn_on", R"({"entity_id": ["switch.lamp", "cover.blind"]})"),
            "cover.blind open, switch.lamp on");
  EXPECT_EQ(home.call("platform.turn_off", R"({"entity_id": ["switch.lamp", "cover.blind"]})"),
            "cover.blind closed, switch.lamp off");
  EXPECT_EQ(home.call("platform.toggle", R"({"entity_id": ["switch.lamp", "cover.blind"]})"),
            "cover.blind open, switch.lamp on");
}

TEST_F(PlatformServicesTest, IsAlsoNamedHomeassistant) {
  EXPECT_EQ(home.call("homeassistant.turn_on", R"({"entity_id": "switch.lamp"})"), "switch.lamp on");
  EXPECT_TRUE(home.hub.services.find("homeassistant", "update_entity"));
}

TEST_F(PlatformServicesTest, LeavesOutEntitiesThatCannotBeTurnedOn) {
  home.add(std::make_unique<Thing>(kLock, test_entity("gate"), Abilities(), &bolt)).report({.value = "locked"});
  sensor.report({.value = 1});
  home.hub.bus.run_pending();
  EXPECT_EQ(home.call("platform.turn_on", R"({"entity_id": ["lock.gate", "sensor.attic", "switch.lamp"]})"),
            "switch.lamp on");
  EXPECT_EQ(home.call("platform.turn_off", R"({"entity_id": "lock.gate"})"), "");
  EXPECT_EQ(bolt.told, "");
}

TEST_F(PlatformServicesTest, DoesNothingIfOneEntityLacksAFeature) {
  home.add(std::make_unique<Climate>(test_entity("heater"), ClimateCapabilities{.modes = {HvacMode::heat}}, heater));
  EXPECT_EQ(home.call("platform.turn_on", R"({"entity_id": "switch.lamp"})"), "switch.lamp on");
  EXPECT_EQ(home.call("platform.turn_off", R"({"entity_id": ["switch.lamp", "climate.heater"]})"),
            "invalid: climate.heater cannot be turned off.");
  EXPECT_EQ(home.value("switch.lamp"), "on");
}

TEST_F(PlatformServicesTest, LeavesOutWhatLacksAFeatureIfNobodyNamedIt) {
  home.add(std::make_unique<Climate>(test_entity("heater"), ClimateCapabilities{.modes = {HvacMode::heat}}, heater));
  home.call("platform.turn_on", R"({"entity_id": "switch.lamp"})");
  const auto call = home.begin("platform.turn_off", R"({"entity_id": "all"})");
  home.advance(std::chrono::seconds(3));  // switch.slow does not answer
  EXPECT_EQ(call->text(), "switch.lamp off");
}

TEST_F(PlatformServicesTest, HandsDataOnToWhoKnowsThem) {
  home.add(std::make_unique<Thing>(kFan, test_entity("fan"), Abilities{.features = "set_speed"}, &bolt));
  home.call("platform.turn_on",
            R"({"entity_id": ["fan.fan", "switch.lamp", "cover.blind"], "percentage": "66.4", "brightness": "x"})");
  EXPECT_EQ(bolt.told, R"(turn_on{"percentage":66} )");
  EXPECT_EQ(lamp.told, "turn_on ");
  EXPECT_EQ(cover.told, "open_cover ");
}

TEST_F(PlatformServicesTest, DoesNothingIfAKnownFieldIsWrong) {
  home.add(std::make_unique<Thing>(
      kFan, test_entity("fan"),
      Abilities{.features = "set_speed preset_mode", .attributes = {{"preset_modes", {"sleep"}}}}, &bolt));
  EXPECT_EQ(home.call("platform.turn_on", R"({"entity_id": ["switch.lamp", "fan.fan"], "percentage": 101})"),
            "invalid: percentage: expected a whole number from 0 to 100, got 101");
  EXPECT_EQ(home.call("platform.turn_on", R"({"entity_id": ["switch.lamp", "fan.fan"], "preset_mode": "storm"})"),
            R"(invalid: fan.fan cannot run with the preset "storm"; it has sleep.)");
  EXPECT_EQ(home.call("platform.update_entity", R"({"entity_id": "switch.lamp", "percentage": 1})"),
            "invalid: percentage: unknown field of platform.update_entity");
  EXPECT_EQ(lamp.told, "");
  EXPECT_EQ(bolt.told, "");
}

TEST_F(PlatformServicesTest, WaitsForLateDevicesOnce) {
  const auto call = home.begin("platform.turn_on", R"({"entity_id": ["switch.slow", "switch.lamp"]})");
  EXPECT_EQ(call->text(), "waiting");
  home.advance(std::chrono::milliseconds(300));
  slow.report({.value = true});
  home.hub.bus.run_pending();
  EXPECT_EQ(call->text(), "switch.lamp on, switch.slow on");

  const auto unanswered = home.begin("platform.turn_on", R"({"entity_id": "switch.slow"})");
  home.advance(std::chrono::milliseconds(1'900));
  EXPECT_EQ(unanswered->text(), "waiting");
  home.advance(std::chrono::milliseconds(200));
  EXPECT_EQ(unanswered->text(), "");
}

TEST_F(PlatformServicesTest, ActsWithTheCallersContext) {
  const auto call = home.begin("platform.turn_on", R"({"entity_id": "switch.lamp"})");
  EXPECT_EQ(home.hub.states.find("switch.lamp")->context().id, call->context_id);
  EXPECT_EQ(home.hub.states.find("switch.lamp")->context().user_id, "user");
}

TEST_F(PlatformServicesTest, RefusesAReader) {
  const auto call = home.begin("platform.turn_on", R"({"entity_id": "switch.lamp"})", core::Rights(core::Role::reader));
  EXPECT_EQ(call->outcome->error().code, base::ErrorCode::forbidden);
  EXPECT_EQ(home.value("switch.lamp"), "off");
}

TEST_F(PlatformServicesTest, UsesTheCallersRights) {
  core::ServiceDescription description;
  description.domain = "vault";
  description.service = "turn_on";
  description.administrator = true;
  const auto vault = home.hub.services.add(
      description, [](const core::ServiceCall&, const core::ServiceReply& reply) { reply(json::value()); });
  ASSERT_TRUE(home.hub.states.set(core::EntityId::parse("vault.bank").value(), {"off", "{}", {}}));
  EXPECT_FALSE(
      *home.begin("platform.turn_on", R"({"entity_id": "vault.bank"})", core::Rights(core::Role::user))->outcome);
  EXPECT_TRUE(*home.begin("platform.turn_on", R"({"entity_id": "vault.bank"})")->outcome);
}

TEST_F(PlatformServicesTest, AsksForAReport) {
  slow_device.asks = true;
  const auto call = home.begin("platform.update_entity", R"({"entity_id": ["switch.slow", "switch.lamp"]})");
  EXPECT_EQ(slow_device.told, "refresh ");
  EXPECT_EQ(call->text(), "waiting");
  slow.report({.value = true});
  home.hub.bus.run_pending();
  EXPECT_EQ(call->text(), "switch.slow on");
}

}  // namespace
}  // namespace hearth::domains
