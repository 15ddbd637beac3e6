// SPDX-License-Identifier: Apache-2.0
#include "integrations/demo/demo.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "integrations/demo/forecaster.h"
#include "integrations/demo/lamp.h"
#include "integrations/demo/movers.h"
#include "integrations/demo/sensors.h"
#include "integrations/demo/switches.h"
#include "integrations/demo/thermostat.h"
#include "integrations/demo/world.h"

namespace hearth::integrations::demo {

using domains::ColorMode;

Demo::Demo(const domains::IntegrationHome& home, const DemoOptions& options)
    : world_(std::make_unique<World>(home, options)) {}

Demo::~Demo() = default;

base::Result<void> Demo::start() {
  world_->add_areas();
  add_lamps();
  add_switches_and_locks();
  add_covers_and_fan();
  add_climate();
  add_habits();
  add_garage();
  add_upper_floor();
  add_guards();
  add_machines();
  add_scenes();
  add_meters();
  return {};
}

void Demo::stop() {
  world_->stop();
}

void Demo::add_lamps() {
  const auto lamp = [&](const Product& product, domains::LightCapabilities can, domains::LightState first,
                        double watts) {
    appliances_.push_back(
        std::make_unique<Lamp>(*world_, world_->add_product(product), std::move(can), std::move(first), watts));
  };
  lamp({"living_room", "Living room light", "Lumenwerk", "Aura Color", "Living room"},
       {.modes = {ColorMode::color_temp, ColorMode::hs},
        .kelvin = {2000, 6500},
        .effects = {"candle", "colorloop", "sunset"},
        .flash = true,
        .transition = true},
       {.on = true, .brightness = 180, .color = domains::ColorTemperature{2700}}, 9);
  lamp({"tv_backlight", "TV backlight", "Lumenwerk", "Strip Five", "Living room"},
       {.modes = {ColorMode::rgbww}, .kelvin = {2700, 6500}, .transition = true},
       {.brightness = 80, .color = domains::RgbwwColor{0, 60, 255, 0, 0}}, 14);
  lamp({"kitchen", "Kitchen light", "Nordlys", "Panel White", "Kitchen"},
       {.modes = {ColorMode::color_temp}, .kelvin = {2200, 6500}, .transition = true},
       {.brightness = 255, .color = domains::ColorTemperature{4000}}, 24);
  lamp({"hall", "Hall light", "Nordlys", "Relay One", "Hall"}, {}, {.on = true}, 7);
  lamp({"bedroom", "Bedroom light", "Nordlys", "Dimmer", "Bedroom"},
       {.modes = {ColorMode::brightness}, .transition = true}, {.brightness = 120}, 10);
  lamp({"bedside", "Bedside lamp", "Lumenwerk", "Glow", "Bedroom"},
       {.modes = {ColorMode::xy}, .effects = {"sunrise"}, .flash = true, .transition = true},
       {.brightness = 60, .color = domains::XyColor{0.5119, 0.4147}}, 6);
  lamp({"bathroom", "Bathroom mirror", "Nordlys", "Mirror", "Bathroom"},
       {.modes = {ColorMode::rgb, ColorMode::white}, .flash = true},
       {.brightness = 200, .color = domains::WhiteChannel{}}, 12);
  lamp({"garden", "Garden light", "Lumenwerk", "Path RGBW", "Garden"}, {.modes = {ColorMode::rgbw}, .transition = true},
       {.brightness = 128, .color = domains::RgbwColor{0, 0, 0, 255}}, 18);
}

void Demo::add_switches_and_locks() {
  const auto relay = [&](domains::EntityInfo info, double watts, base::Duration delay = {}) {
    appliances_.push_back(std::make_unique<Relay>(*world_, std::move(info), watts, delay));
  };
  relay(world_->add_product({"kitchen_socket", "Kitchen socket", "Plugwerk", "P1", "Kitchen"}, "outlet"), 60);
  relay(world_->add_product({"towel_heater", "Towel heater", "Plugwerk", "P16", "Bathroom"}, "switch", "mdi:radiator"),
        500);
  relay(world_->add_product({"garden_pump", "Garden pump", "Fernfunk", "Sub-GHz Relay", "Garden"}, "switch",
                            "mdi:water-pump"),
        350, std::chrono::milliseconds(300));
  auto unplugged =
      world_->add_product({"coffee_machine", "Coffee machine", "Plugwerk", "P1", "Kitchen"}, "outlet", "mdi:coffee");
  unplugged.available = false;
  relay(std::move(unplugged), 0);

  appliances_.push_back(std::make_unique<MotorLock>(
      *world_, world_->add_product({"front_door", "Front door lock", "Riegel", "Motor 2", "Hall"}),
      domains::Abilities{.features = "open"}));
  appliances_.push_back(std::make_unique<MotorLock>(
      *world_, world_->add_product({"garden_shed", "Garden shed lock", "Riegel", "Keypad", "Garden"}),
      domains::Abilities{.attributes = {{"code_format", R"(^\d{4}$)"}}}, "1234"));
}

void Demo::add_covers_and_fan() {
  const auto shade = [&](const Product& product, const char* device_class, core::Words features, Stand first,
                         int seconds) {
    appliances_.push_back(std::make_unique<Shade>(*world_, domains::kCover, world_->add_product(product, device_class),
                                                  features, first, seconds));
  };
  shade({"living_room_blind", "Living room blind", "Schatten", "Venetian", "Living room"}, "blind",
        "set_position stop open_tilt close_tilt stop_tilt set_tilt_position", {.position = 100, .tilt = 50}, 20);
  shade({"kitchen_blind", "Kitchen blind", "Schatten", "Roller", "Kitchen"}, "shade", "set_position stop",
        {.position = 60}, 15);
  shade({"bedroom_shutter", "Bedroom shutter", "Schatten", "Shutter", "Bedroom"}, "shutter", "set_position stop",
        {.position = 0}, 25);

  appliances_.push_back(std::make_unique<Ventilator>(
      *world_, world_->add_product({"bedroom", "Bedroom fan", "Brise", "Tower 4", "Bedroom"}),
      std::vector<std::string>{"breeze", "sleep"}, 50));
}

void Demo::add_climate() {
  const domains::EntityInfo info =
      world_->add_product({"living_room_thermostat", "Living room thermostat", "Wohlwarm", "T2", "Living room"});
  domains::EntityInfo climate = info, thermometer = info;
  climate.object_id = "living_room";
  thermometer.unique_id = thermometer.object_id = "living_room_temperature";
  thermometer.name = "Living room temperature";
  thermometer.device_class = "temperature";
  appliances_.push_back(std::make_unique<Thermostat>(*world_, std::move(climate), std::move(thermometer)));

  const auto gauge = [&](domains::EntityInfo of, const char* id, const char* name, const char* device_class, Unit unit,
                         std::function<double()> measure) {
    of.unique_id = of.object_id = id;
    of.name = name;
    of.device_class = device_class;
    appliances_.push_back(std::make_unique<Gauge>(*world_, std::move(of), unit, std::move(measure)));
  };
  World& world = *world_;
  const auto station = world.add_product({"weather_station", "Weather station", "Wetterhahn", "W3", "Garden"});
  gauge(station, "outdoor_temperature", "Outdoor temperature", "temperature", {"°C", "measurement", 1},
        [&world] { return world.weather().temperature; });
  gauge(station, "outdoor_humidity", "Outdoor humidity", "humidity", {"%", "measurement", 0},
        [&world] { return world.weather().humidity; });
  gauge(station, "outdoor_illuminance", "Outdoor illuminance", "illuminance", {"lx", "measurement", 0},
        [&world] { return world.weather().illuminance; });
  domains::EntityInfo outside = station;
  outside.unique_id = outside.object_id = "home";
  outside.name = "Weather";
  appliances_.push_back(std::make_unique<Forecaster>(world, outside));
  const auto bedroom = world.add_product({"bedroom_sensor", "Bedroom sensor", "Wetterhahn", "Mini", "Bedroom"});
  gauge(bedroom, "bedroom_temperature", "Bedroom temperature", "temperature", {"°C", "measurement", 1}, [&world] {
    return 17.5 + 0.1 * world.weather().temperature + 0.4 * world.noise().smooth(201, world.time().hours, 3);
  });
  const auto bathroom = world.add_product({"bathroom_sensor", "Bathroom sensor", "Wetterhahn", "Mini", "Bathroom"});
  gauge(bathroom, "bathroom_humidity", "Bathroom humidity", "humidity", {"%", "measurement", 0}, [&world] {
    // Two showers a day, drying in an hour.
    const double hour = world.time().hour;
    const auto after = [&](double shower) { return hour < shower ? 0 : 32 * std::exp(shower - hour); };
    return 52 + after(7) + after(22) + 4 * world.noise().smooth(202, world.time().hours, 2);
  });
}

void Demo::add_habits() {
  const auto detector = [&](const Product& product, const char* device_class, const Habit& habit) {
    appliances_.push_back(std::make_unique<Detector>(*world_, world_->add_product(product, device_class), habit));
  };
  detector({"hall_motion", "Hall motion", "Fernfunk", "Eye", "Hall"}, "motion", {301, 4, 1, {0.02, 0.5, 0.15, 0.4}});
  detector({"living_room_motion", "Living room motion", "Fernfunk", "Eye", "Living room"}, "motion",
           {302, 6, 3, {0.01, 0.3, 0.2, 0.7}});
  detector({"front_door", "Front door", "Fernfunk", "Contact", "Hall"}, "door", {303, 20, 0.7, {0, 0.4, 0.1, 0.3}});
  detector({"kitchen_window", "Kitchen window", "Fernfunk", "Contact", "Kitchen"}, "window",
           {304, 60, 25, {0, 0.5, 0.2, 0.3}});
  detector({"bedroom_window", "Bedroom window", "Fernfunk", "Contact", "Bedroom"}, "window",
           {305, 180, 150, {0.3, 0.8, 0.1, 0.2}});
}

void Demo::add_meters() {
  domains::EntityInfo power = world_->add_product({"meter", "Electricity meter", "Zählwerk", "M3", "Hall"});
  domains::EntityInfo energy = power;
  power.unique_id = power.object_id = "home_power";
  power.name = "Home power";
  power.device_class = "power";
  energy.unique_id = energy.object_id = "home_energy";
  energy.name = "Home energy";
  energy.device_class = "energy";
  appliances_.push_back(std::make_unique<Meter>(*world_, std::move(power), std::move(energy), appliances_));
}

}  // namespace hearth::integrations::demo
