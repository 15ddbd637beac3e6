// SPDX-License-Identifier: Apache-2.0
#include "energy/cost_sensors.h"

#include <gtest/gtest.h>

#include "domains/test_home.h"

namespace hearth::energy {
namespace {

constexpr std::string_view kMeterOfGrid =
    R"({"state_class":"total_increasing","unit_of_measurement":"kWh","friendly_name":"Grid"})";

class CostSensorsTest : public testing::Test {
 protected:
  void save(std::string_view sources) {
    json::object fields{{"energy_sources", base::parse_json(sources).value()}};
    core::Registry& registry = home_.hub.registry;
    const auto now = registry.snapshot();
    const auto done = now->find_item("energy", "preferences")
                          ? registry.update_item("energy", "preferences", fields, std::nullopt, {})
                          : registry.create_item("energy", "preferences", fields, {});
    ASSERT_TRUE(done);
    home_.hub.bus.run_pending();
  }
  void set(std::string_view id, std::string_view value, std::string_view attributes) {
    home_.clock.advance(std::chrono::minutes(1));
    home_.hub.states.set(core::EntityId::parse(id).value(), {value, attributes, {"C", {}, {}}, false}).value();
    home_.hub.bus.run_pending();
  }
  std::string value(std::string_view id) const {
    const auto state = home_.hub.states.find(id);
    return state ? std::string(state->value()) : "none";
  }

  domains::TestHome home_;
  CostSensors costs_{home_.hub, home_.domains.entities()};
};

TEST_F(CostSensorsTest, CountWhileTheMeterHasAPrice) {
  costs_.start();
  set("sensor.grid", "100", kMeterOfGrid);
  save(R"([{"type": "grid", "stat_energy_from": "sensor.grid", "number_energy_price": 0.25,
            "stat_energy_to": "sensor.sold", "entity_energy_price_export": "sensor.price"},
           {"type": "gas", "stat_energy_from": "sensor.gas", "stat_cost": "sensor.bill"},
           {"type": "water", "stat_energy_from": "mine:water", "number_energy_price": 2}])");
  EXPECT_EQ((CostEntities{{{Role::grid_in, "sensor.grid"}, "sensor.grid_cost"},
                          {{Role::grid_out, "sensor.sold"}, "sensor.sold_compensation"}}),
            *costs_.entities_now());
  EXPECT_EQ("0", value("sensor.grid_cost"));
  EXPECT_EQ("unknown", value("sensor.sold_compensation"));
  set("sensor.grid", "104", kMeterOfGrid);
  EXPECT_EQ("1", value("sensor.grid_cost"));
  const json::object shown = home_.hub.states.find("sensor.grid_cost")->attributes();
  EXPECT_EQ("total", shown.at("state_class").as_string());
  EXPECT_EQ("monetary", shown.at("device_class").as_string());
  EXPECT_EQ("EUR", shown.at("unit_of_measurement").as_string());
  EXPECT_EQ("Grid cost", shown.at("friendly_name").as_string());
  EXPECT_TRUE(shown.contains("last_reset"));

  set("sensor.price", "8", R"({"unit_of_measurement":"ct/kWh"})");
  set("sensor.sold", "50", kMeterOfGrid);
  set("sensor.sold", "100", kMeterOfGrid);
  EXPECT_EQ("4", value("sensor.sold_compensation"));

  // Another price: the count goes on. None: the sensor goes.
  save(R"([{"type": "grid", "stat_energy_from": "sensor.grid", "number_energy_price": 0.5}])");
  set("sensor.grid", "105", kMeterOfGrid);
  EXPECT_EQ("1.5", value("sensor.grid_cost"));
  EXPECT_EQ("none", value("sensor.sold_compensation"));
  save(R"([{"type": "grid", "stat_energy_from": "sensor.grid"}])");
  EXPECT_EQ("none", value("sensor.grid_cost"));
  EXPECT_TRUE(costs_.entities_now()->empty());
}

TEST_F(CostSensorsTest, GoOnAfterAStop) {
  set("sensor.grid", "100", kMeterOfGrid);
  save(R"([{"type": "grid", "stat_energy_from": "sensor.grid", "number_energy_price": 0.25}])");
  costs_.start();
  set("sensor.grid", "104", kMeterOfGrid);
  costs_.stop();
  const auto since = home_.hub.states.find("sensor.grid_cost")->attributes().at("last_reset");
  set("sensor.grid", "108", kMeterOfGrid);
  EXPECT_EQ("1", value("sensor.grid_cost"));
  CostSensors again(home_.hub, home_.domains.entities());
  again.start();
  EXPECT_EQ("2", value("sensor.grid_cost"));
  EXPECT_EQ(since, home_.hub.states.find("sensor.grid_cost")->attributes().at("last_reset"));
  again.stop();
}

TEST_F(CostSensorsTest, ANewNameOfTheSensorIsKnown) {
  costs_.start();
  set("sensor.grid", "100", kMeterOfGrid);
  save(R"([{"type": "grid", "stat_energy_from": "sensor.grid", "number_energy_price": 0.25}])");
  ASSERT_TRUE(home_.hub.registry.update_entity("sensor.grid_cost", {.new_entity_id = "sensor.bill"}, {}));
  home_.hub.bus.run_pending();
  EXPECT_EQ("sensor.bill", costs_.entities_now()->begin()->second);
  set("sensor.grid", "101", kMeterOfGrid);
  EXPECT_EQ("0.25", value("sensor.bill"));
}

}  // namespace
}  // namespace hearth::energy
