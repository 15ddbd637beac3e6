// SPDX-License-Identifier: Apache-2.0
#include "integrations/demo/demo.h"

#include <cmath>
#include <map>

#include "core/registry/collection_type.h"
#include "domains/entities/kinds.h"
#include "domains/test_home.h"

namespace hearth::integrations::demo {
namespace {

using domains::TestHome;
using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

class DemoHome : public TestHome {
 public:
  explicit DemoHome(const DemoOptions& options = {}) : demo(place(), options) {
    demo.start().value();
    hub.bus.run_pending();
  }
  double number(std::string_view entity_id) const { return std::stod(value(entity_id)); }

  Demo demo;
};

// All states, without the tokens of pictures, which are random.
std::map<std::string, std::string> picture(const TestHome& home) {
  std::map<std::string, std::string> states;
  home.hub.states.snapshot()->for_each([&](const core::State& state) {
    json::object attributes = state.attributes();
    if (attributes.erase("access_token") > 0) attributes.erase("entity_picture");
    states.emplace(state.entity_id(), std::string(state.value()) + ' ' + base::to_json(attributes));
  });
  return states;
}

const DemoOptions kStill{.seed = 7, .speed = 0};

TEST(Demo, HasAHomeOfNineAreasOnThreeFloors) {
  DemoHome home(kStill);
  const auto registry = home.hub.registry.snapshot();
  EXPECT_EQ(registry->areas.size(), 9u);
  std::set<std::string> floors, occupied;
  for (const auto& [id, area] : registry->areas) floors.insert(registry->floors.at(*area.floor_id).name);
  EXPECT_EQ(floors, (std::set<std::string>{"First floor", "Ground floor", "Second floor"}));
  for (const auto& [id, entity] : registry->entities) {
    ASSERT_TRUE(registry->area_of(entity)) << id;
    occupied.insert(registry->area_of(entity)->id);
    const auto& device = registry->devices.at(*entity.device_id);
    EXPECT_TRUE(device.manufacturer && device.model) << id;
  }
  EXPECT_EQ(occupied.size(), 9u);
  EXPECT_GE(registry->entities.size(), 80u);
  EXPECT_EQ(home.hub.states.snapshot()->size(), registry->entities.size());
}

TEST(Demo, HasSomethingOfEveryKind) {
  DemoHome home(kStill);
  std::set<std::string> domains;
  for (const auto& [id, entity] : home.hub.registry.snapshot()->entities) domains.emplace(entity.domain());
  for (const domains::Kind* const kind : domains::kKinds) {
    const bool made_by_people = core::find_collection_type(kind->domain) && kind != &domains::kTag;
    const bool of_each_home = kind == &domains::kSun;
    EXPECT_TRUE(domains.contains(std::string(kind->domain)) || made_by_people || of_each_home) << kind->domain;
  }
}

TEST(Demo, LeavesAfterARestartWhatTheUserMadeOfIt) {
  const core::Context user{"C", {}, "user"};
  core::RegistryData kept;
  core::StatePtr last;
  {
    DemoHome home(kStill);
    auto& registry = home.hub.registry;
    registry.delete_area("bathroom", user).value();
    registry.update_area("kitchen", {.name = "Küche"}, user).value();
    registry.update_device("demo.hall_light", {.area_id = "kitchen"}, user).value();
    registry.update_entity("light.bedroom", {.name = "Mine", .new_entity_id = "light.mine"}, user).value();
    home.call("light.turn_on", R"({"entity_id": "light.mine", "brightness": 77})");
    kept = *registry.snapshot();
    last = home.hub.states.find("light.mine");
  }
  TestHome home;
  home.hub.registry.restore(kept);
  home.hub.states.restore({last});
  Demo demo(home.place(), kStill);
  demo.start().value();
  home.hub.bus.run_pending();
  const auto registry = home.hub.registry.snapshot();
  EXPECT_EQ(registry->areas.size(), 8u);
  EXPECT_EQ(registry->areas.at("kitchen").name, "Küche");
  EXPECT_EQ(registry->devices.at("demo.hall_light").area_id, "kitchen");
  EXPECT_GE(registry->entities.size(), 80u);
  EXPECT_EQ(home.hub.states.find("light.bedroom"), nullptr);
  EXPECT_EQ(home.attribute("light.mine", "brightness"), "77");
  EXPECT_EQ(home.attribute("light.mine", "friendly_name"), "\"Mine\"");
}

TEST(Demo, HasTheEntitiesThatItsDocumentsName) {
  DemoHome home(kStill);
  for (const char* id :
       {"light.kitchen", "light.living_room", "light.hall", "switch.garden_pump", "cover.living_room_blind",
        "climate.living_room", "lock.front_door", "fan.bedroom", "sensor.outdoor_temperature",
        "sensor.living_room_temperature", "binary_sensor.hall_motion", "binary_sensor.front_door"}) {
    EXPECT_NE(home.value(id), "") << id;
    EXPECT_NE(home.value(id), "unknown") << id;
  }
  EXPECT_EQ(home.value("switch.coffee_machine"), "unavailable");
  EXPECT_EQ(home.attribute("light.kitchen", "supported_color_modes"), R"(["color_temp"])");
}

TEST(Demo, ShowsWhatTheCameraSees) {
  DemoHome home({.seed = 7, .speed = 1});
  const auto picture_of = [&](const char* entity_id) {
    return home.hub.pictures.find(home.hub.registry.snapshot()->entities.find(entity_id)->id);
  };
  const core::PicturePtr first = picture_of("camera.driveway");
  ASSERT_TRUE(first);
  EXPECT_TRUE(first->bytes.starts_with("<svg ") && first->bytes.ends_with("</svg>"));
  const std::string token = home.attribute("camera.driveway", "access_token");
  home.advance(minutes(2), seconds(5));
  EXPECT_NE(picture_of("camera.driveway")->bytes, first->bytes);
  EXPECT_EQ(home.attribute("camera.driveway", "access_token"), token);
  home.call("camera.turn_off", R"({"entity_id": "camera.driveway"})");
  const core::PicturePtr last = picture_of("camera.driveway");
  home.advance(hours(1), minutes(1));
  EXPECT_EQ(picture_of("camera.driveway"), last);
  EXPECT_NE(home.attribute("camera.driveway", "access_token"), token);  // it is renewed all the same
  home.advance(hours(48), seconds(10));
  EXPECT_TRUE(picture_of("image.doorbell_picture")) << "nobody has rung";
  EXPECT_NE(home.value("image.doorbell_picture"), "unknown");
}

TEST(Demo, ForecastsWhatThenComes) {
  DemoHome home({.seed = 7, .speed = 1});
  const auto forecast = [&] {
    const auto call = home.begin("weather.get_forecasts", R"({"entity_id":"weather.home","type":"hourly"})");
    return call->outcome->value().response.at("weather.home").at("forecast").as_array();
  };
  const json::array before = forecast();
  ASSERT_EQ(before.size(), 24u);
  home.advance(hours(3), minutes(5));
  const json::array after = forecast();
  EXPECT_EQ(before[5].at("datetime"), after[2].at("datetime"));
  EXPECT_NEAR(before[5].at("temperature").as_double(), after[2].at("temperature").as_double(), 0.11);
  const json::array days = home.begin("weather.get_forecasts", R"({"entity_id":"weather.home","type":"daily"})")
                               ->outcome->value()
                               .response.at("weather.home")
                               .at("forecast")
                               .as_array();
  ASSERT_EQ(days.size(), 7u);
  for (const json::value& day : days) EXPECT_LT(day.at("templow").as_double(), day.at("temperature").as_double());
}

TEST(Demo, IsTheSameAtEveryStartWhileStill) {
  DemoHome first(kStill);
  DemoHome second(kStill);
  second.clock.advance(hours(1'000));
  EXPECT_EQ(picture(first), picture(second));
  DemoHome later(kStill);
  const auto before = picture(later);
  later.advance(hours(1), minutes(1));
  EXPECT_EQ(picture(later), before);
  DemoHome other(DemoOptions{.seed = 8, .speed = 0});
  EXPECT_NE(picture(other), before);
}

TEST(Demo, ObeysAtOnceWhileStill) {
  DemoHome home(kStill);
  EXPECT_EQ(home.call("cover.close_cover", R"({"entity_id": "cover.living_room_blind"})"),
            "cover.living_room_blind closed");
  EXPECT_EQ(home.call("lock.unlock", R"({"entity_id": "lock.front_door"})"), "lock.front_door unlocked");
  EXPECT_EQ(home.call("light.turn_on", R"({"entity_id": "light.kitchen", "brightness": 120})"), "light.kitchen on");
  EXPECT_EQ(home.call("fan.turn_on", R"({"entity_id": "fan.bedroom", "preset_mode": "sleep"})"), "fan.bedroom on");
  EXPECT_EQ(home.call("climate.set_temperature", R"({"entity_id": "climate.living_room", "temperature": 19})"),
            "climate.living_room heat");
  EXPECT_EQ(home.attribute("climate.living_room", "hvac_action"), "\"idle\"");
}

TEST(Demo, HasAPumpOnASlowRadio) {
  DemoHome home(kStill);
  const auto on = home.begin("switch.turn_on", R"({"entity_id": "switch.garden_pump"})");
  home.advance(milliseconds(100));
  const auto off = home.begin("switch.turn_off", R"({"entity_id": "switch.garden_pump"})");
  home.advance(milliseconds(100));
  EXPECT_EQ(on->text(), "waiting");
  home.advance(milliseconds(100));
  EXPECT_EQ(on->text(), "switch.garden_pump on");
  EXPECT_EQ(off->text(), "waiting");
  home.advance(milliseconds(100));
  EXPECT_EQ(off->text(), "switch.garden_pump off");
}

TEST(Demo, HasLocksThatTakeTheirTime) {
  DemoHome home;
  EXPECT_EQ(home.call("lock.unlock", R"({"entity_id": "lock.front_door"})"), "lock.front_door unlocking");
  home.advance(milliseconds(500));
  EXPECT_EQ(home.value("lock.front_door"), "unlocking");
  home.advance(milliseconds(100));
  EXPECT_EQ(home.value("lock.front_door"), "unlocked");
  EXPECT_EQ(home.hub.states.find("lock.front_door")->context().user_id, "user");
}

TEST(Demo, HasALockThatKnowsItsCode) {
  DemoHome home(kStill);
  home.call("lock.unlock", R"({"entity_id": "lock.garden_shed", "code": "4321"})");
  EXPECT_EQ(home.value("lock.garden_shed"), "locked");
  home.call("lock.unlock", R"({"entity_id": "lock.garden_shed", "code": "1234"})");
  EXPECT_EQ(home.value("lock.garden_shed"), "unlocked");
}

TEST(Demo, HasCoversThatTravel) {
  DemoHome home;
  EXPECT_EQ(home.call("cover.close_cover", R"({"entity_id": "cover.living_room_blind"})"),
            "cover.living_room_blind closing");
  home.advance(seconds(10));
  EXPECT_EQ(home.value("cover.living_room_blind"), "closing");
  EXPECT_EQ(home.attribute("cover.living_room_blind", "current_position"), "50");
  home.call("cover.stop_cover", R"({"entity_id": "cover.living_room_blind"})");
  EXPECT_EQ(home.value("cover.living_room_blind"), "open");
  home.call("cover.set_cover_position", R"({"entity_id": "cover.living_room_blind", "position": 58})");
  EXPECT_EQ(home.value("cover.living_room_blind"), "opening");
  home.advance(seconds(2));
  EXPECT_EQ(home.value("cover.living_room_blind"), "open");
  EXPECT_EQ(home.attribute("cover.living_room_blind", "current_position"), "58");
  home.advance(seconds(30));
  EXPECT_EQ(home.attribute("cover.living_room_blind", "current_position"), "58");
}

TEST(Demo, RunsFasterWhenTold) {
  DemoHome home(DemoOptions{.seed = 7, .speed = 4});
  home.call("cover.close_cover", R"({"entity_id": "cover.living_room_blind"})");
  home.advance(seconds(5), milliseconds(50));
  EXPECT_EQ(home.value("cover.living_room_blind"), "closed");
}

TEST(Demo, FlashesWithoutStayingOn) {
  DemoHome home(kStill);
  home.call("light.turn_on", R"({"entity_id": "light.bathroom", "flash": "short"})");
  EXPECT_EQ(home.value("light.bathroom"), "off");
}

TEST(Demo, KeepsTheLevelOfALampThatIsDimmedToZero) {
  DemoHome home(kStill);
  home.call("light.turn_on", R"({"entity_id": "light.bedroom", "brightness": 117})");
  EXPECT_EQ(home.call("light.turn_on", R"({"entity_id": "light.bedroom", "brightness_pct": 0})"), "light.bedroom off");
  home.call("light.turn_on", R"({"entity_id": "light.bedroom"})");
  EXPECT_EQ(home.attribute("light.bedroom", "brightness"), "117");
}

TEST(Demo, LivesThroughADay) {
  DemoHome home(DemoOptions{.seed = 7, .speed = 1});
  std::map<std::string, std::size_t> changes;
  const auto listening = home.hub.bus.listen("state_changed", [&](const core::Event& event) {
    ++changes[std::string(event.state_change()->new_state->entity_id())];
  });
  double coldest = 100, warmest = -100, darkest = 1e9, brightest = 0;
  bool heated = false, idled = false;
  const double energy = home.number("sensor.home_energy");
  for (int minute = 0; minute < 24 * 60; ++minute) {
    home.advance(minutes(1), seconds(5));
    const double outdoors = home.number("sensor.outdoor_temperature");
    const double light = home.number("sensor.outdoor_illuminance");
    coldest = std::min(coldest, outdoors), warmest = std::max(warmest, outdoors);
    darkest = std::min(darkest, light), brightest = std::max(brightest, light);
    EXPECT_EQ(home.value("sensor.living_room_temperature"),
              home.attribute("climate.living_room", "current_temperature"));
    const std::string action = home.attribute("climate.living_room", "hvac_action");
    (action == "\"heating\"" ? heated : idled) = true;
    if (minute <= 120) continue;  // the room was cold
    EXPECT_NEAR(home.number("sensor.living_room_temperature"), 21, 0.8);
  }
  // A day in November.
  EXPECT_GT(coldest, -8);
  EXPECT_LT(warmest, 15);
  EXPECT_GT(warmest - coldest, 2);
  EXPECT_LT(darkest, 1);
  EXPECT_GT(brightest, 2'000);
  EXPECT_TRUE(heated && idled);
  EXPECT_NEAR(home.number("sensor.home_energy") - energy, 7, 5);  // kWh
  for (const char* id : {"sensor.outdoor_temperature", "sensor.outdoor_humidity", "sensor.bedroom_temperature",
                         "sensor.bathroom_humidity", "sensor.home_power", "sensor.living_room_temperature"}) {
    EXPECT_GT(changes[id], 10u) << id;
    EXPECT_LE(changes[id], 24u * 60 * 2) << id;  // at most every 30 s
  }
  EXPECT_GT(changes["binary_sensor.hall_motion"], 10u);
  EXPECT_GT(changes["binary_sensor.front_door"], 2u);
  EXPECT_EQ(changes["light.kitchen"], 0u);
}

TEST(Demo, ReportsEachSensorEvery30To60Seconds) {
  DemoHome home;
  std::map<std::string, std::size_t> reports;
  const auto count = [&](const core::Event& event) {
    const std::string id(event.state_change()->new_state->entity_id());
    if (id.starts_with("sensor.")) ++reports[id];
  };
  const auto changed = home.hub.bus.listen("state_changed", count);
  const auto reported = home.hub.bus.listen("state_reported", count);
  home.advance(minutes(10), seconds(1));
  EXPECT_EQ(reports.size(), 17u);
  for (const auto& [id, n] : reports) {
    EXPECT_GE(n, 10u) << id;
    EXPECT_LE(n, 20u) << id;
  }
}

TEST(Demo, GoesOnFromTheMetersLastReading) {
  TestHome home;
  const auto id = core::EntityId::parse("sensor.home_energy").value();
  ASSERT_TRUE(home.hub.states.set(id, {"5000.25", "{}", {}}));
  Demo demo(home.place(), {});
  demo.start().value();
  EXPECT_EQ(home.value("sensor.home_energy"), "5000.25");
}

TEST(Demo, StandsStillAfterStop) {
  DemoHome home;
  home.call("cover.close_cover", R"({"entity_id": "cover.living_room_blind"})");
  home.demo.stop();
  const auto before = picture(home);
  home.advance(minutes(10), seconds(1));
  EXPECT_EQ(picture(home), before);
}

}  // namespace
}  // namespace hearth::integrations::demo
