// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "domains/entities/kinds.h"
#include "domains/entities/thing.h"
#include "domains/test_home.h"

namespace hearth::domains {
namespace {

TEST(Sensor, ShowsNumbersWithItsDecimals) {
  TestHome home;
  EntityInfo info = test_entity("attic");
  info.device_class = "temperature";
  Thing& sensor = home.add(std::make_unique<Thing>(
      kSensor, info,
      Abilities{.attributes = {{"state_class", "measurement"}, {"unit_of_measurement", "°C"}}, .decimals = 1}));
  EXPECT_EQ(home.value("sensor.attic"), "unknown");
  sensor.report({.value = 21.26});
  EXPECT_EQ(home.value("sensor.attic"), "21.3");
  sensor.report({.value = -0.04});
  EXPECT_EQ(home.value("sensor.attic"), "0.0");
  sensor.report({.value = -0.06});
  EXPECT_EQ(home.value("sensor.attic"), "-0.1");
  sensor.report({.value = std::nan("")});
  EXPECT_EQ(home.value("sensor.attic"), "unknown");
  sensor.report({.value = "warm"});
  EXPECT_EQ(home.value("sensor.attic"), "warm");
  EXPECT_EQ(
      home.hub.states.find("sensor.attic")->attributes_json(),
      R"({"state_class":"measurement","unit_of_measurement":"°C","device_class":"temperature","friendly_name":"attic"})");
}

TEST(BinarySensor, IsOnOrOff) {
  TestHome home;
  Thing& sensor = home.add(std::make_unique<Thing>(kBinarySensor, test_entity("hall")));
  EXPECT_EQ(home.value("binary_sensor.hall"), "unknown");
  sensor.report({.value = true});
  EXPECT_EQ(home.value("binary_sensor.hall"), "on");
  sensor.report({.value = false});
  EXPECT_EQ(home.value("binary_sensor.hall"), "off");
}

}  // namespace
}  // namespace hearth::domains
