// SPDX-License-Identifier: Apache-2.0
#include "domains/platform/platform_services.h"

#include "domains/climate/climate.h"
#include "domains/cover/cover.h"
#include "domains/lock/lock.h"
#include "domains/sensor/sensor.h"
#include "domains/switch/switch.h"
#include "domains/test_home.h"

namespace hearth::domains {
namespace {

class QuickSwitch final : public SwitchDevice {
 public:
  void turn_on() override { entity->report(true); }
  void turn_off() override { entity->report(false); }
  Switch* entity = nullptr;
};

class SilentSwitch final : public SwitchDevice {
 public:
  void turn_on() override {}
  void turn_off() override {}
  bool refresh() override { return ++asked, true; }
  int asked = 0;
};

class QuickCover final : public CoverDevice {
 public:
  void open() override { entity->report({.position = 100}); }
  void close() override { entity->report({.position = 0}); }
  Cover* entity = nullptr;
};

class Bolt final : public LockDevice {
 public:
  void lock(const std::string&) override { told = true; }
  void unlock(const std::string&) override { told = true; }
  bool told = false;
};

class Heater final : public ClimateDevice {
 public:
  void set(const ClimateCommand&) override {}
};

class PlatformServicesTest : public testing::Test {
 protected:
  PlatformServicesTest() {
    lamp.entity = &home.add(std::make_unique<Switch>(test_entity("lamp"), lamp));
    cover.entity = &home.add(std::make_unique<Cover>(test_entity("blind"), CoverCapabilities{}, cover));
    lamp.entity->report(false);
    cover.entity->report({.position = 0});
    home.hub.bus.run_pending();
  }

  QuickSwitch lamp;
  QuickCover cover;
  SilentSwitch slow_device;
  Bolt bolt;
  Heater heater;
  TestHome home;
  Switch& slow = home.add(std::make_unique<Switch>(test_entity("slow"), slow_device));
  Sensor& sensor = home.add(std::make_unique<Sensor>(test_entity("attic"), SensorCapabilities{}));
};

TEST_F(PlatformServicesTest, TurnsOnWhateverItIs) {
  EXPECT_EQ(home.call("platform.turn_on", R"({"entity_id": ["switch.lamp", "cover.blind"]})"),
            "cover.blind open, switch.lamp on");
  EXPECT_EQ(home.call("platform.turn_off", R"({"entity_id": ["switch.lamp", "cover.blind"]})"),
            "cover.blind closed, switch.lamp off");
  EXPECT_EQ(home.call("platform.toggle", R"({"entity_id": ["switch.lamp", "cover.blind"]})"),
            "cover.blind open, switch.lamp on");
}

TEST_F(PlatformServicesTest, IsCalledHomeassistantToo) {
  EXPECT_EQ(home.call("homeassistant.turn_on", R"({"entity_id": "switch.lamp"})"), "switch.lamp on");
  EXPECT_TRUE(home.hub.services.find("homeassistant", "update_entity"));
}

TEST_F(PlatformServicesTest, LeavesOutWhatCannotBeTurnedOn) {
  home.add(std::make_unique<Lock>(test_entity("gate"), LockCapabilities{}, bolt)).report(LockState::locked);
  sensor.report(1);
  home.hub.bus.run_pending();
  EXPECT_EQ(home.call("platform.turn_on", R"({"entity_id": ["lock.gate", "sensor.attic", "switch.lamp"]})"),
            "switch.lamp on");
  EXPECT_EQ(home.call("platform.turn_off", R"({"entity_id": "lock.gate"})"), "");
  EXPECT_FALSE(bolt.told);
}

TEST_F(PlatformServicesTest, DoesNothingWhereOneEntityCannot) {
  home.add(std::make_unique<Climate>(test_entity("heater"), ClimateCapabilities{.modes = {HvacMode::heat}}, heater));
  EXPECT_EQ(home.call("platform.turn_on", R"({"entity_id": "switch.lamp"})"), "switch.lamp on");
  EXPECT_EQ(home.call("platform.turn_off", R"({"entity_id": ["switch.lamp", "climate.heater"]})"),
            "invalid: climate.heater cannot be turned off.");
  EXPECT_EQ(home.value("switch.lamp"), "on");
}

TEST_F(PlatformServicesTest, WaitsForLateDevicesOnce) {
  const auto call = home.begin("platform.turn_on", R"({"entity_id": ["switch.slow", "switch.lamp"]})");
  EXPECT_EQ(call->text(), "waiting");
  home.advance(std::chrono::milliseconds(300));
  slow.report(true);
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
  const auto call = home.begin("platform.turn_on", R"({"entity_id": "switch.lamp"})", {core::Role::reader});
  EXPECT_EQ(call->outcome->error().code, base::ErrorCode::forbidden);
  EXPECT_EQ(home.value("switch.lamp"), "off");
}

TEST_F(PlatformServicesTest, GivesNobodyMoreRightsThanTheyHave) {
  core::ServiceDescription description;
  description.domain = "vault";
  description.service = "turn_on";
  description.administrator = true;
  const auto vault = home.hub.services.add(
      description, [](const core::ServiceCall&, const core::ServiceReply& reply) { reply(json::value()); });
  ASSERT_TRUE(home.hub.states.set(core::EntityId::parse("vault.bank").value(), {"off", "{}", {}}));
  EXPECT_FALSE(*home.begin("platform.turn_on", R"({"entity_id": "vault.bank"})", {core::Role::user})->outcome);
  EXPECT_TRUE(*home.begin("platform.turn_on", R"({"entity_id": "vault.bank"})")->outcome);
}

TEST_F(PlatformServicesTest, AsksForAReport) {
  const auto call = home.begin("platform.update_entity", R"({"entity_id": ["switch.slow", "switch.lamp"]})");
  EXPECT_EQ(slow_device.asked, 1);
  EXPECT_EQ(call->text(), "waiting");
  slow.report(true);
  home.hub.bus.run_pending();
  EXPECT_EQ(call->text(), "switch.slow on");
}

}  // namespace
}  // namespace hearth::domains
