// SPDX-License-Identifier: Apache-2.0
// The garage with its car, the second floor, and entities that a home has only once.
#include "integrations/demo/camera.h"
#include "integrations/demo/comfort.h"
#include "integrations/demo/demo.h"
#include "integrations/demo/diary.h"
#include "integrations/demo/gadgets.h"
#include "integrations/demo/lamp.h"
#include "integrations/demo/movers.h"
#include "integrations/demo/obedient.h"
#include "integrations/demo/player.h"
#include "integrations/demo/robots.h"
#include "integrations/demo/safety.h"
#include "integrations/demo/sensors.h"
#include "integrations/demo/shopping.h"
#include "integrations/demo/switches.h"

namespace hearth::integrations::demo {
namespace {

using domains::ColorMode;

// Another entity of the same device.
domains::EntityInfo part(domains::EntityInfo of, const char* id, const char* name, const char* device_class = "",
                         const char* icon = "") {
  of.unique_id = of.object_id = id;
  of.name = name;
  of.device_class = device_class;
  of.icon = icon;
  return of;
}

domains::EntityInfo setting(domains::EntityInfo of, const char* id, const char* name, const char* icon = "") {
  of = part(std::move(of), id, name, "", icon);
  of.entity_category = "config";
  return of;
}

}  // namespace

template <class Made, class... Args>
Made& Demo::add(Args&&... args) {
  auto made = std::make_unique<Made>(*world_, std::forward<Args>(args)...);
  Made& added = *made;
  appliances_.push_back(std::move(made));
  return added;
}

void Demo::add_garage() {
  World& world = *world_;
  add<Shade>(domains::kCover,
             world.add_product({"garage_door", "Garage door", "Schatten", "Sectional", "Garage"}, "garage"),
             "set_position stop", Stand{.position = 0}, 18);
  add<Lamp>(world.add_product({"garage", "Garage light", "Nordlys", "Relay One", "Garage"}),
            domains::LightCapabilities(), domains::LightState(), 18);
  add<Detector>(world.add_product({"garage_motion", "Garage motion", "Fernfunk", "Eye", "Garage"}, "motion"),
                Habit{306, 30, 2, {0, 0.3, 0.05, 0.3}});
  add<Gauge>(
      world.add_product({"garage_temperature", "Garage temperature", "Wetterhahn", "Mini", "Garage"}, "temperature"),
      Unit{"°C", "measurement", 1}, [&world] { return 9 + 0.4 * world.weather().temperature; });

  add<Camera>(world.add_product({"driveway", "Driveway camera", "Fernfunk", "Watch 2", "Garage"}));

  const auto car = world.add_product({"car", "Car", "Strom Motors", "S2", "Garage"}, "", "mdi:car-electric");
  const auto& limit = add<Obedient>(
      domains::kNumber, setting(car, "car_charge_limit", "Car charge limit", "mdi:battery-charging-80"),
      domains::Abilities{
          .attributes = {{"min", 50}, {"max", 100}, {"step", 5}, {"mode", "slider"}, {"unit_of_measurement", "%"}}},
      domains::Report{.value = 80});
  const Car& drives = add<Car>(car, part(car, "car_plug", "Car plug", "plug"), limit.thing());
  add<Gauge>(part(car, "car_battery", "Car battery", "battery"), Unit{"%", "measurement", 0},
             [&drives] { return drives.battery(); });
  add<Gauge>(part(car, "car_range", "Car range", "distance"), Unit{"km", "measurement", 0},
             [&drives] { return drives.battery() * 3.9; });
  add<Gauge>(part(car, "car_odometer", "Car odometer", "distance"), Unit{"km", "total_increasing", 0},
             [&drives] { return drives.kilometres(); });
  add<MotorLock>(part(car, "car", "Car lock"), domains::Abilities());
  add<Obedient>(domains::kButton, part(car, "car_flash_lights", "Car flash lights", "identify", "mdi:car-light-high"));
  add<Obedient>(domains::kSelect, setting(car, "car_charge_mode", "Car charge mode", "mdi:ev-station"),
                domains::Abilities{.attributes = {{"options", {"solar", "eco", "fast"}}}},
                domains::Report{.value = "eco"});
}

void Demo::add_upper_floor() {
  World& world = *world_;
  add<Lamp>(world.add_product({"office", "Office light", "Lumenwerk", "Panel White", "Office"}),
            domains::LightCapabilities{.modes = {ColorMode::color_temp}, .kelvin = {2700, 6500}, .transition = true},
            domains::LightState{.brightness = 200, .color = domains::ColorTemperature{4000}}, 20);
  add<Lamp>(world.add_product({"desk", "Desk lamp", "Nordlys", "Dimmer", "Office"}),
            domains::LightCapabilities{.modes = {ColorMode::brightness}}, domains::LightState{.brightness = 180}, 8);
  add<Shade>(domains::kCover,
             world.add_product({"office_blind", "Office blind", "Schatten", "Roller", "Office"}, "shade"),
             "set_position stop", Stand{.position = 100}, 15);
  add<Relay>(world.add_product({"printer", "Printer socket", "Plugwerk", "P1", "Office"}, "outlet", "mdi:printer"),
             12.0);
  add<Player>(world.add_product({"office", "Office speaker", "Klangholz", "Cube", "Office"}, "speaker"),
              json::array{"Radio", "Podcasts", "Line in"});
  const auto router =
      world.add_product({"router", "Router", "Fernfunk", "Mesh 6", "Office"}, "", "mdi:router-wireless");
  add<Updater>(part(router, "router", "Router firmware", "firmware"), "2.4.1", "2.5.0");
  add<Obedient>(domains::kButton, setting(router, "router_restart", "Router restart", "mdi:restart"));
  add<Gauge>(part(router, "router_download", "Router download", "data_rate"), Unit{"Mbit/s", "measurement", 1},
             [&world] { return 14 + 12 * world.noise().smooth(402, world.time().hours, 0.5); });
  const auto display = world.add_product({"desk_display", "Desk display", "Zählwerk", "Ink 4", "Office"});
  add<Obedient>(domains::kText, part(display, "desk_display", "Desk display text"),
                domains::Abilities{.attributes = {{"mode", "text"}, {"min", 0}, {"max", 60}}},
                domains::Report{.value = "Hello"});
  add<Obedient>(domains::kNotify, part(display, "desk_display", "Desk display messages"),
                domains::Abilities{.features = "title"});

  add<Lamp>(world.add_product({"guest_room", "Guest room light", "Nordlys", "Dimmer", "Guest room"}),
            domains::LightCapabilities{.modes = {ColorMode::brightness}}, domains::LightState{.brightness = 150}, 9);
  add<Shade>(
      domains::kCover,
      world.add_product({"guest_room_shutter", "Guest room shutter", "Schatten", "Shutter", "Guest room"}, "shutter"),
      "set_position stop", Stand{.position = 100}, 25);
  add<Detector>(
      world.add_product({"guest_room_window", "Guest room window", "Fernfunk", "Contact", "Guest room"}, "window"),
      Habit{307, 120, 30, {0, 0.2, 0.1, 0.1}});
  const auto air =
      world.add_product({"guest_room", "Guest room humidifier", "Brise", "Mist", "Guest room"}, "humidifier");
  const AirHumidifier& humidifier = add<AirHumidifier>(air);
  add<Gauge>(part(air, "guest_room_humidity", "Guest room humidity", "humidity"), Unit{"%", "measurement", 0},
             [&humidifier] { return humidifier.humidity(); });
  add<Gauge>(part(air, "guest_room_temperature", "Guest room temperature", "temperature"), Unit{"°C", "measurement", 1},
             [&world] { return 18 + 0.08 * world.weather().temperature; });
  const auto clock = world.add_product({"guest_clock", "Guest room clock", "Zählwerk", "Wake", "Guest room"});
  add<Obedient>(domains::kTime, part(clock, "guest_wake_up", "Guest wake-up", "", "mdi:alarm"), domains::Abilities(),
                domains::Report{.value = "07:30:00"});
  add<Obedient>(domains::kDate, part(clock, "guest_arrival", "Guest arrival", "", "mdi:calendar-arrow-right"),
                domains::Abilities(), domains::Report{.value = "2026-12-24"});
  add<Obedient>(domains::kDateTime, part(clock, "guest_departure", "Guest departure", "", "mdi:calendar-clock"),
                domains::Abilities(), domains::Report{.value = "2026-12-28T09:00:00Z"});
}

void Demo::add_guards() {
  World& world = *world_;
  const auto guard = world.add_product({"home", "Alarm panel", "Riegel", "Guard 3", "Hall"});
  add<AlarmPanel>(part(guard, "home", "Home alarm"), "1234");
  add<Siren>(part(guard, "hall", "Hall siren"));
  const auto smoke = [&](const char* id, const char* name, const char* area) {
    add<Detector>(world.add_product({id, name, "Fernfunk", "Nose", area}, "smoke"), Habit{308, 60, 0, {}});
  };
  smoke("hall_smoke", "Hall smoke detector", "Hall");
  smoke("office_smoke", "Office smoke detector", "Office");
  const auto bell = world.add_product({"doorbell", "Doorbell", "Riegel", "Bell", "Hall"});
  add<Happening>(domains::kEvent, part(bell, "doorbell", "Doorbell", "doorbell"),
                 domains::Abilities{.attributes = {{"event_types", {"ring", "long_ring"}}}},
                 Habit{309, 90, 1, {0, 0.2, 0.15, 0.2}}, json::object{{"event_type", "ring"}});
  add<Happening>(domains::kImage, part(bell, "doorbell_picture", "Doorbell picture"), domains::Abilities(),
                 Habit{309, 90, 1, {0, 0.2, 0.15, 0.2}}, json::object());
  add<Happening>(domains::kTag, world.add_product({"key_tag", "Key tag", "Riegel", "Tag", "Hall"}, "", "mdi:tag"),
                 domains::Abilities{.attributes = {{"tag_id", "key-1"}}}, Habit{310, 120, 1, {0, 0.4, 0.1, 0.4}},
                 json::object{{"last_scanned_by_device_id", "demo.doorbell"}});
}

void Demo::add_machines() {
  World& world = *world_;
  add<Diary>(world.add_product({"family", "Family", "Hearth", "Calendar", "Kitchen"}, "", "mdi:calendar"));
  add<Shopping>(world.add_product({"shopping_list", "Shopping list", "Hearth", "List", "Kitchen"}, "", "mdi:cart"));
  add<Robot>(
      domains::kVacuum, world.add_product({"ground_floor", "Vacuum", "Saugwerk", "R7", "Hall"}),
      domains::Abilities{.features = "start pause stop return_home clean_spot locate fan_speed battery",
                         .attributes = {{"fan_speed_list", {"quiet", "normal", "turbo"}}, {"fan_speed", "normal"}}});
  add<Robot>(domains::kLawnMower, world.add_product({"garden", "Lawn mower", "Saugwerk", "Meadow", "Garden"}),
             domains::Abilities{.features = "start_mowing pause dock"});
  add<Shade>(domains::kValve,
             world.add_product({"irrigation", "Irrigation valve", "Fernfunk", "Sub-GHz Valve", "Garden"}, "water"),
             "open close stop set_position", Stand{.position = 0}, 6);
  add<Shade>(domains::kValve,
             world.add_product({"main_water", "Main water valve", "Fernfunk", "Stop", "Bathroom"}, "water"),
             "open close", Stand{.position = 100}, 4);
  add<Boiler>(world.add_product({"boiler", "Boiler", "Wohlwarm", "B80", "Bathroom"}));
  add<Player>(world.add_product({"living_room", "Television", "Klangholz", "Screen 55", "Living room"}, "tv"),
              json::array{"TV", "HDMI 1", "HDMI 2"});
  add<Obedient>(domains::kRemote,
                world.add_product({"living_room", "Living room remote", "Klangholz", "Hub", "Living room"}),
                domains::Abilities{.features = "activity", .attributes = {{"activity_list", {"Watch TV", "Listen"}}}},
                domains::Report{.value = false});
  const auto fridge = world.add_product({"fridge", "Fridge", "Eisbär", "F1", "Kitchen"});
  add<Gauge>(part(fridge, "fridge_temperature", "Fridge temperature", "temperature"), Unit{"°C", "measurement", 1},
             [&world] { return 5 + 0.8 * world.noise().smooth(403, world.time().hours, 0.4); });
  add<Detector>(part(fridge, "fridge_door", "Fridge door", "door"), Habit{311, 15, 0.5, {0, 0.3, 0.1, 0.3}});
  add<Obedient>(
      domains::kNumber, setting(fridge, "fridge_target", "Fridge target", "mdi:thermometer-low"),
      domains::Abilities{
          .attributes = {{"min", 2}, {"max", 8}, {"step", 0.5}, {"mode", "box"}, {"unit_of_measurement", "°C"}}},
      domains::Report{.value = 5});
  const auto washer =
      world.add_product({"washer", "Washing machine", "Eisbär", "W6", "Bathroom"}, "", "mdi:washing-machine");
  add<Obedient>(domains::kSelect, part(washer, "washer_programme", "Washing programme", "", "mdi:washing-machine"),
                domains::Abilities{.attributes = {{"options", {"cotton", "delicate", "wool", "quick"}}}},
                domains::Report{.value = "cotton"});
  add<Detector>(part(washer, "washer_leak", "Washing machine leak", "moisture"), Habit{312, 60, 0, {}});
  add<Updater>(part(washer, "washer", "Washing machine firmware", "firmware"), "1.8.0", "1.8.0");
  add<Gauge>(world.add_product({"rain", "Rain gauge", "Wetterhahn", "Drop", "Garden"}, "precipitation"),
             Unit{"mm", "total_increasing", 1}, [&world] { return 0.02 * static_cast<double>(world.time().day * 24); });
}

void Demo::add_scenes() {
  World& world = *world_;
  const json::value living{"light.living_room", "light.tv_backlight"};
  add<Scene>(world.add_product({"movie", "Movie", "Hearth", "Scene", "Living room"}, "", "mdi:movie-open"),
             std::vector<Scene::Step>{
                 {"light", "turn_on", {{"entity_id", "light.tv_backlight"}, {"brightness", 60}}},
                 {"light", "turn_off", {{"entity_id", "light.living_room"}}},
             });
  add<Scene>(world.add_product({"good_night", "Good night", "Hearth", "Scene", "Bedroom"}, "", "mdi:weather-night"),
             std::vector<Scene::Step>{
                 {"light", "turn_off", {{"entity_id", living}}},
                 {"light", "turn_on", {{"entity_id", "light.bedside"}, {"brightness", 40}}},
                 {"cover", "close_cover", {{"entity_id", "cover.bedroom_shutter"}}},
             });
}

}  // namespace hearth::integrations::demo
