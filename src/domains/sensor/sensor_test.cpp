// SPDX-License-Identifier: Apache-2.0
#include "domains/sensor/sensor.h"

#include <cmath>

#include "domains/binary_sensor/binary_sensor.h"
#include "domains/test_home.h"

namespace hearth::domains {
namespace {

TEST(Sensor, ShowsNumbersWithItsDecimals) {
  TestHome home;
  EntityInfo info = test_entity("attic");
  info.device_class = "temperature";
  Sensor& sensor = home.add(
      std::make_unique<Sensor>(info, SensorCapabilities{.unit = "°C", .state_class = "measurement", .precision = 1}));
  EXPECT_EQ(home.value("sensor.attic"), "unknown");
  sensor.report(21.26);
  EXPECT_EQ(home.value("sensor.attic"), "21.3");
  sensor.report(-0.04);
  EXPECT_EQ(home.value("sensor.attic"), "0.0");
  sensor.report(-0.06);
  EXPECT_EQ(home.value("sensor.attic"), "-0.1");
  sensor.report(std::nan(""));
  EXPECT_EQ(home.value("sensor.attic"), "unknown");
  sensor.report("warm");
  EXPECT_EQ(home.value("sensor.attic"), "warm");
  EXPECT_EQ(
      home.hub.states.find("sensor.attic")->attributes_json(),
      R"({"state_class":"measurement","unit_of_measurement":"°C","device_class":"temperature","friendly_name":"attic"})");
}

TEST(BinarySensor, IsOnOrOff) {
  TestHome home;
  BinarySensor& sensor = home.add(std::make_unique<BinarySensor>(test_entity("hall")));
  EXPECT_EQ(home.value("binary_sensor.hall"), "unknown");
  sensor.report(true);
  EXPECT_EQ(home.value("binary_sensor.hall"), "on");
  sensor.report(false);
  EXPECT_EQ(home.value("binary_sensor.hall"), "off");
}

}  // namespace
}  // namespace hearth::domains
