// SPDX-License-Identifier: Apache-2.0
#include "domains/cover/cover.h"

#include <fmt/format.h>

#include "domains/test_home.h"

namespace hearth::domains {
namespace {

// Writes down what it was told.
class Shutter final : public CoverDevice {
 public:
  void open() override { told += "open "; }
  void close() override { told += "close "; }
  void stop() override { told += "stop "; }
  void set_position(int position) override { told += fmt::format("to {} ", position); }
  void open_tilt() override { told += "open tilt "; }
  void close_tilt() override { told += "close tilt "; }
  void stop_tilt() override { told += "stop tilt "; }
  void set_tilt_position(int position) override { told += fmt::format("tilt to {} ", position); }

  std::string told;
};

class CoverServices : public testing::Test {
 protected:
  using Motion = CoverState::Motion;

  // What the device is told by the service.
  std::string told(Shutter& device, std::string_view service, std::string_view data) {
    device.told.clear();
    const auto call = home.begin(service, data);
    return call->outcome && !*call->outcome ? call->text() : device.told;
  }
  std::string told(std::string_view service) { return told(blind_device, service, R"({"entity_id": "cover.blind"})"); }

  Shutter blind_device, door_device;
  TestHome home;
  Cover& blind = home.add(std::make_unique<Cover>(
      test_entity("blind"), CoverCapabilities{.tilt = true, .tilt_position = true, .tilt_stop = true}, blind_device));
  Cover& door = home.add(
      std::make_unique<Cover>(test_entity("door"), CoverCapabilities{.position = false, .stop = false}, door_device));
};

TEST_F(CoverServices, CommandTheDevice) {
  EXPECT_EQ(told("cover.open_cover"), "open ");
  EXPECT_EQ(told("cover.close_cover"), "close ");
  EXPECT_EQ(told("cover.stop_cover"), "stop ");
  EXPECT_EQ(told("cover.open_cover_tilt"), "open tilt ");
  EXPECT_EQ(told("cover.close_cover_tilt"), "close tilt ");
  EXPECT_EQ(told("cover.stop_cover_tilt"), "stop tilt ");
  EXPECT_EQ(told(blind_device, "cover.set_cover_position", R"({"entity_id": "cover.blind", "position": 70})"),
            "to 70 ");
  EXPECT_EQ(
      told(blind_device, "cover.set_cover_tilt_position", R"({"entity_id": "cover.blind", "tilt_position": "50"})"),
      "tilt to 50 ");
}

TEST_F(CoverServices, ToggleByWhatTheCoverDoes) {
  blind.report({.position = 0, .tilt_position = 0});
  EXPECT_EQ(told("cover.toggle"), "open ");
  EXPECT_EQ(told("cover.toggle_cover_tilt"), "open tilt ");
  blind.report({.position = 40, .tilt_position = 30});
  EXPECT_EQ(told("cover.toggle"), "close ");
  EXPECT_EQ(told("cover.toggle_cover_tilt"), "close tilt ");
  blind.report({.motion = Motion::opening, .position = 40});
  EXPECT_EQ(told("cover.toggle"), "stop ");
  door.report({.motion = Motion::opening});
  EXPECT_EQ(told(door_device, "cover.toggle", R"({"entity_id": "cover.door"})"), "close ");
  door.report({.motion = Motion::closing});
  EXPECT_EQ(told(door_device, "cover.toggle", R"({"entity_id": "cover.door"})"), "open ");
}

TEST_F(CoverServices, NameTheCoverThatCannot) {
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
  blind.report({.position = 0, .tilt_position = 10});
  EXPECT_EQ(home.value("cover.blind"), "closed");
  EXPECT_EQ(home.hub.states.find("cover.blind")->attributes_json(),
            R"({"supported_features":255,"current_position":0,"current_tilt_position":10,"friendly_name":"blind"})");
  blind.report({.position = 1});
  EXPECT_EQ(home.value("cover.blind"), "open");
  blind.report({.motion = Motion::closing, .position = 1});
  EXPECT_EQ(home.value("cover.blind"), "closing");
  blind.report({.motion = Motion::opening, .position = 1});
  EXPECT_EQ(home.value("cover.blind"), "opening");
  door.report({.position = 100});
  EXPECT_EQ(home.hub.states.find("cover.door")->attributes_json(),
            R"({"supported_features":3,"friendly_name":"door"})");
}

}  // namespace
}  // namespace hearth::domains
