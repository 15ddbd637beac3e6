// SPDX-License-Identifier: Apache-2.0
#include "domains/entities/entity.h"

#include <limits>

#include "base/log/log.h"
#include "domains/climate/climate.h"
#include "domains/entities/kinds.h"
#include "domains/entities/test_device.h"
#include "domains/test_home.h"

namespace hearth::domains {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class EntityReports : public testing::Test {
 protected:
  core::Context context(std::string_view entity_id) { return home.hub.states.find(entity_id)->context(); }

  TestDevice device;
  TestHome home;
  Thing& pump = home.add(std::make_unique<Thing>(kSwitch, test_entity("pump"), Abilities(), &device));
};

TEST_F(EntityReports, AreUnknownBeforeTheFirst) {
  EXPECT_EQ(home.value("switch.pump"), "unknown");
  EXPECT_EQ(home.attribute("switch.pump", "friendly_name"), "\"pump\"");
}

TEST_F(EntityReports, HaveFurtherAttributesWhileTheDeviceIsThere) {
  pump.set_extra_attributes({{"linkquality", 91}, {"friendly_name", "evil"}});
  pump.report({.value = true});
  EXPECT_EQ(home.attribute("switch.pump", "linkquality"), "91");
  EXPECT_EQ(home.attribute("switch.pump", "friendly_name"), "\"pump\"");
  pump.set_available(false);
  EXPECT_EQ(home.attribute("switch.pump", "linkquality"), "");
}

TEST_F(EntityReports, AreEventsEvenIfEqualWhereTheDeviceWantsThat) {
  EntityInfo info = test_entity("meter");
  info.force_update = true;
  Thing& meter = home.add(std::make_unique<Thing>(kSensor, info));
  meter.report({.value = 5});
  const auto before = home.hub.states.find("sensor.meter")->last_updated();
  home.advance(seconds(1));
  meter.report({.value = 5});
  EXPECT_EQ(home.hub.states.find("sensor.meter")->last_updated(), before + seconds(1));
}

TEST_F(EntityReports, AreWaitedForByTheCall) {
  const auto call = home.begin("switch.turn_on", R"({"entity_id": "switch.pump"})");
  EXPECT_EQ(device.told, "turn_on ");
  home.advance(milliseconds(300));
  EXPECT_EQ(call->text(), "waiting");
  pump.report({.value = true});
  home.hub.bus.run_pending();
  EXPECT_EQ(call->text(), "switch.pump on");
}

TEST_F(EntityReports, EndTheWaitEvenIfNothingChanged) {
  pump.report({.value = true});
  const auto call = home.begin("switch.turn_on", R"({"entity_id": "switch.pump"})");
  EXPECT_EQ(call->text(), "waiting");
  pump.report({.value = true});
  home.hub.bus.run_pending();
  EXPECT_EQ(call->text(), "");
}

TEST_F(EntityReports, AreWaitedForTwoSecondsAtMost) {
  const auto call = home.begin("switch.turn_on", R"({"entity_id": "switch.pump"})");
  home.advance(milliseconds(1'900));
  EXPECT_EQ(call->text(), "waiting");
  home.advance(milliseconds(100));
  EXPECT_EQ(call->text(), "");
}

TEST_F(EntityReports, CarryTheCommandsContextForFiveSeconds) {
  const auto call = home.begin("switch.turn_on", R"({"entity_id": "switch.pump"})");
  home.advance(milliseconds(4'900));
  pump.report({.value = true});
  EXPECT_EQ(context("switch.pump").id, call->context_id);
  EXPECT_EQ(context("switch.pump").user_id, "user");
  home.advance(milliseconds(100));
  pump.report({.value = false});
  EXPECT_NE(context("switch.pump").id, call->context_id);
  EXPECT_EQ(context("switch.pump").user_id, std::nullopt);
}

TEST_F(EntityReports, CarryTheContextThatTheDeviceNames) {
  const auto first = home.begin("switch.turn_on", R"({"entity_id": "switch.pump"})");
  const core::Context cause = pump.command_context();
  const auto second = home.begin("switch.turn_off", R"({"entity_id": "switch.pump"})");
  pump.report({.value = true}, &cause);
  home.hub.bus.run_pending();
  EXPECT_EQ(first->text(), "switch.pump on");
  EXPECT_EQ(second->text(), "waiting");
  pump.report({.value = false});
  home.hub.bus.run_pending();
  EXPECT_EQ(second->text(), "switch.pump off");
}

TEST_F(EntityReports, EndTheWaitOfAllCallsIfTheDeviceNamesNone) {
  const auto first = home.begin("switch.turn_on", R"({"entity_id": "switch.pump"})");
  const auto second = home.begin("switch.turn_off", R"({"entity_id": "switch.pump"})");
  pump.report({.value = false});
  home.hub.bus.run_pending();
  EXPECT_EQ(first->text(), "");
  EXPECT_EQ(second->text(), "switch.pump off");
}

TEST_F(EntityReports, HaveAContextOfTheirOwnWithoutACommand) {
  pump.report({.value = true});
  const base::Id first = context("switch.pump").id;
  pump.report({.value = false});
  EXPECT_NE(context("switch.pump").id, first);
  EXPECT_EQ(first.str().size(), 26u);
}

TEST_F(EntityReports, AreHiddenWhileTheDeviceIsUnavailable) {
  pump.report({.value = true});
  pump.set_available(false);
  EXPECT_EQ(home.value("switch.pump"), "unavailable");
  pump.report({.value = false});
  EXPECT_EQ(home.value("switch.pump"), "unavailable");
  pump.set_available(true);
  EXPECT_EQ(home.value("switch.pump"), "off");
}

TEST_F(EntityReports, ShowIconAndDeviceClass) {
  EntityInfo info = test_entity("socket");
  info.device_class = "outlet";
  info.icon = "mdi:power";
  TestDevice other;
  home.add(std::make_unique<Thing>(kSwitch, info, Abilities(), &other));
  EXPECT_EQ(home.hub.states.find("switch.socket")->attributes_json(),
            R"({"device_class":"outlet","icon":"mdi:power","friendly_name":"socket"})");
}

TEST_F(EntityReports, LeaveOutAnUnavailableEntityThatAClientGaveAState) {
  pump.set_available(false);
  const auto id = core::EntityId::parse("switch.pump").value();
  ASSERT_TRUE(home.hub.states.set(id, {"off", "{}", {}}));
  EXPECT_EQ(home.call("switch.turn_on", R"({"entity_id": "switch.pump"})"), "");
  EXPECT_EQ(device.told, "");
}

TEST_F(EntityReports, ThatNoStateCanHoldAreLoggedOnceForAnEntity) {
  const auto said = [](std::string_view about) {
    std::size_t count = 0;
    for (const auto& record : base::recent_log().records()) count += record->message.contains(about) ? 1 : 0;
    return count;
  };
  struct Silent final : ClimateDevice {
    void set(const ClimateCommand&) override {}
  } stove;
  Climate& climate = home.add(std::make_unique<Climate>(test_entity("stove"), ClimateCapabilities{}, stove));
  for (int i = 0; i < 3; ++i) {
    climate.report({.current_temperature = std::numeric_limits<double>::quiet_NaN(), .temperature = 20.0 + i});
  }
  EXPECT_EQ(home.attribute("climate.stove", "current_temperature"), "null");
  EXPECT_EQ(home.attribute("climate.stove", "temperature"), "22.0");
  EXPECT_EQ(said("climate.stove of test reports a value that no state can hold: current_temperature is not a number"),
            1u);

  Thing& sensor = home.add(std::make_unique<Thing>(kSensor, test_entity("words")));
  sensor.report({.value = "fine"});
  for (int i = 0; i < 3; ++i) sensor.report({.value = std::string(300, 'x')});
  EXPECT_EQ(home.value("sensor.words"), "fine");
  EXPECT_EQ(said("sensor.words of test reports an invalid state"), 1u);
}

TEST_F(EntityReports, DriveToggle) {
  pump.report({.value = true});
  home.begin("switch.toggle", R"({"entity_id": "switch.pump"})");
  pump.report({.value = false});
  home.begin("switch.toggle", R"({"entity_id": "switch.pump"})");
  EXPECT_EQ(device.told, "turn_off turn_on ");
}

TEST(EntityTable, RegistersEntitiesAndForgetsThem) {
  TestDevice device;
  TestHome home;
  home.hub.registry.put_device({.id = "test.box", .name = "Box", .area_id = "attic"});
  EntityInfo info = test_entity("pump");
  info.device_id = "test.box";
  home.add(std::make_unique<Thing>(kSwitch, info, Abilities(), &device));
  const auto registered = home.hub.registry.snapshot()->entities.at("switch.pump");
  EXPECT_EQ(registered.integration, "test");
  EXPECT_EQ(registered.unique_id, "pump");
  EXPECT_EQ(registered.device_id, "test.box");

  home.domains.entities().remove("switch.pump");
  EXPECT_EQ(home.hub.states.find("switch.pump"), nullptr);
  EXPECT_TRUE(home.hub.registry.snapshot()->entities.empty());
  EXPECT_EQ(home.domains.entities().find("switch.pump"), nullptr);
  home.domains.entities().remove("switch.pump");
}

TEST(EntityTable, FindsAnotherIdIfTheWantedOneIsTaken) {
  TestDevice device;
  TestHome home;
  home.add(std::make_unique<Thing>(kSwitch, test_entity("pump"), Abilities(), &device));
  EntityInfo other = test_entity("pump");
  other.unique_id = "another";
  EXPECT_EQ(home.add(std::make_unique<Thing>(kSwitch, other, Abilities(), &device)).entity_id(), "switch.pump_2");
}

TEST(EntityTable, RefusesImpossibleEntities) {
  TestDevice device;
  TestHome home;
  home.add(std::make_unique<Thing>(kSwitch, test_entity("pump"), Abilities(), &device));
  const auto twice =
      home.domains.entities().add(std::make_unique<Thing>(kSwitch, test_entity("pump"), Abilities(), &device));
  ASSERT_FALSE(twice);
  EXPECT_EQ(twice.error().code, base::ErrorCode::conflict);
  const auto nameless =
      home.domains.entities().add(std::make_unique<Thing>(kSwitch, test_entity("no name"), Abilities(), &device));
  ASSERT_FALSE(nameless);
  EXPECT_EQ(nameless.error().code, base::ErrorCode::invalid);
}

TEST(Domains, NamesRunningComponents) {
  TestDevice device;
  TestHome home;
  home.add(std::make_unique<Thing>(kSwitch, test_entity("pump"), Abilities(), &device));
  std::set<std::string> expected = {"homeassistant", "persistent_notification", "platform", "test", "test.switch"};
  for (const Kind* const kind : kKinds) expected.emplace(kind->domain);
  EXPECT_EQ(home.domains.component_names(), expected);
}

TEST(Domains, DescribeEachServiceAndField) {
  TestHome home;
  const auto services = home.hub.services.snapshot();
  std::size_t count = 0;
  for (const auto& [domain, by_name] : *services) {
    for (const auto& [name, service] : *by_name) {
      ++count;
      EXPECT_FALSE(service->description.name.empty()) << domain << '.' << name;
      EXPECT_TRUE(service->description.description.ends_with('.')) << domain << '.' << name;
      for (const auto& field : service->description.fields) {
        EXPECT_TRUE(field.description.ends_with('.')) << domain << '.' << name << ' ' << field.name;
        EXPECT_TRUE(field.convert(field.example.to_json())) << domain << '.' << name << ' ' << field.name;
      }
    }
  }
  std::size_t described =
      8 - 1 + 5;  // 8 of platform and homeassistant, 5 of notes; the app adds camera.snapshot, which needs a folder
  for (const Kind* const kind : kKinds) described += kind->actions.size() + kind->services.size();
  EXPECT_EQ(count, described);
}

}  // namespace
}  // namespace hearth::domains
