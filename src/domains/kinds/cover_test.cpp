// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "domains/entities/kinds.h"
#include "domains/entities/test_device.h"
#include "domains/test_home.h"

namespace hearth::domains {
namespace {

class CoverServices : public testing::Test {
 protected:
  // The command that the device gets from the service.
  std::string told(TestDevice& device, std::string_view service, std::string_view data) {
    device.told.clear();
    const auto call = home.begin(service, data);
    return call->outcome && !*call->outcome ? call->text() : device.told;
  }
  std::string told(std::string_view service) { return told(blind_device, service, R"({"entity_id": "cover.blind"})"); }

  TestDevice blind_device, door_device;
  TestHome home;
  Thing& blind = home.add(std::make_unique<Thing>(
      kCover, test_entity("blind"),
      Abilities{.features = "set_position stop open_tilt close_tilt stop_tilt set_tilt_position"}, &blind_device));
  Thing& door = home.add(std::make_unique<Thing>(kCover, test_entity("door"), Abilities(), &door_device));
};

TEST_F(CoverServices, CommandTheDevice) {
  EXPECT_EQ(told("cover.open_cover"), "open_cover ");
  EXPECT_EQ(told("cover.close_cover"), "close_cover ");
  EXPECT_EQ(told("cover.stop_cover"), "stop_cover ");
  EXPECT_EQ(told("cover.open_cover_tilt"), "open_cover_tilt ");
  EXPECT_EQ(told("cover.close_cover_tilt"), "close_cover_tilt ");
  EXPECT_EQ(told("cover.stop_cover_tilt"), "stop_cover_tilt ");
  EXPECT_EQ(told(blind_device, "cover.set_cover_position", R"({"entity_id": "cover.blind", "position": 70})"),
            R"(set_cover_position{"position":70} )");
  EXPECT_EQ(
      told(blind_device, "cover.set_cover_tilt_position", R"({"entity_id": "cover.blind", "tilt_position": "50"})"),
      R"(set_cover_tilt_position{"tilt_position":50} )");
}

TEST_F(CoverServices, ToggleByTheCoversMovement) {
  blind.report({.value = "closed", .attributes = {{"current_position", 0}, {"current_tilt_position", 0}}});
  EXPECT_EQ(told("cover.toggle"), "open_cover ");
  EXPECT_EQ(told("cover.toggle_cover_tilt"), "open_cover_tilt ");
  blind.report({.value = "open", .attributes = {{"current_position", 40}, {"current_tilt_position", 30}}});
  EXPECT_EQ(told("cover.toggle"), "close_cover ");
  EXPECT_EQ(told("cover.toggle_cover_tilt"), "close_cover_tilt ");
  blind.report({.value = "opening"});
  EXPECT_EQ(told("cover.toggle"), "stop_cover ");
  door.report({.value = "opening"});
  EXPECT_EQ(told(door_device, "cover.toggle", R"({"entity_id": "cover.door"})"), "close_cover ");
  door.report({.value = "closing"});
  EXPECT_EQ(told(door_device, "cover.toggle", R"({"entity_id": "cover.door"})"), "open_cover ");
}

TEST_F(CoverServices, NameTheCoverThatLacksAFeature) {
  const auto door_told = [&](std::string_view service, std::string_view fields = "") {
    return told(door_device, service, fmt::format(R"({{"entity_id": ["cover.blind", "cover.door"]{}}})", fields));
  };
  blind_device.told.clear();
  EXPECT_EQ(door_told("cover.stop_cover"), "invalid: cover.door cannot stop on its way.");
  EXPECT_EQ(door_told("cover.set_cover_position", R"(, "position": 1)"),
            "invalid: cover.door cannot move to a position.");
  EXPECT_EQ(door_told("cover.open_cover_tilt"), "invalid: cover.door cannot tilt its slats.");
  EXPECT_EQ(door_told("cover.set_cover_tilt_position", R"(, "tilt_position": 1)"),
            "invalid: cover.door cannot tilt its slats.");
  EXPECT_EQ(blind_device.told, "");
  EXPECT_EQ(door_told("cover.set_cover_position"),
            "invalid: position: required field of cover.set_cover_position is missing");
}

TEST_F(CoverServices, ShowStateAndPosition) {
  EXPECT_EQ(home.value("cover.blind"), "unknown");
  blind.report({.value = "closed", .attributes = {{"current_position", 0}, {"current_tilt_position", 10}}});
  EXPECT_EQ(home.value("cover.blind"), "closed");
  EXPECT_EQ(home.hub.states.find("cover.blind")->attributes_json(),
            R"({"supported_features":255,"current_position":0,"current_tilt_position":10,"friendly_name":"blind"})");
  blind.report({.value = "open", .attributes = {{"current_position", 1}}});
  EXPECT_EQ(home.value("cover.blind"), "open");
  blind.report({.value = "closing"});
  EXPECT_EQ(home.value("cover.blind"), "closing");
  blind.report({.value = "opening"});
  EXPECT_EQ(home.value("cover.blind"), "opening");
  door.report({.value = "open"});
  EXPECT_EQ(home.hub.states.find("cover.door")->attributes_json(),
            R"({"supported_features":3,"friendly_name":"door"})");
}

}  // namespace
}  // namespace hearth::domains
