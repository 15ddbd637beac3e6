// SPDX-License-Identifier: Apache-2.0
#include "import_ha/report/instead.h"

#include <gtest/gtest.h>

namespace hearth::import_ha {
namespace {

TEST(Instead, SaysAWayForEachIntegration) {
  EXPECT_EQ(instead_of("hue").way, kBridge);
  EXPECT_TRUE(instead_of("zha").way.contains("Zigbee2MQTT"));
  EXPECT_TRUE(instead_of("zwave_js").way.contains("Z-Wave JS UI"));
  EXPECT_TRUE(instead_of("dsmr").way.contains("docs/dsmr.md"));
  EXPECT_TRUE(instead_of("esphome").way.contains("docs/esphome.md"));
  EXPECT_TRUE(instead_of("tasmota").way.contains("built in"));
  EXPECT_EQ(instead_of("cloud").why, Why::not_yet);
  EXPECT_EQ(instead_of("zha").why, Why::no_provider);
}

TEST(Instead, SaysAWayForEachSection) {
  EXPECT_EQ(instead_of_section("never_heard_of").way, kBridge);
  for (const char* const section : {"python_script", "pyscript", "alert", "notify", "camera", "device_tracker"}) {
    EXPECT_NE(instead_of_section(section).way, kBridge) << section;
    EXPECT_EQ(instead_of_section(section).why, Why::unknown_section) << section;
  }
}

TEST(Instead, SaysAWayForAddOns) {
  EXPECT_TRUE(instead_of_addon("core_mosquitto").contains("any MQTT broker"));
  EXPECT_TRUE(instead_of_addon("Zigbee2MQTT").contains("Zigbee2MQTT"));
  EXPECT_FALSE(instead_of_addon("a1b2c3_something").empty());
}

TEST(Instead, HasItsOwnOfSome) {
  EXPECT_TRUE(is_built_in("sun"));
  EXPECT_TRUE(is_built_in("hassio"));
  EXPECT_FALSE(is_built_in("demo"));
}

TEST(Instead, SaysTheBridgeInASentence) {
  EXPECT_TRUE(sentence_of(kBridge).contains("keep Home Assistant running"));
  EXPECT_EQ(sentence_of("another way"), "another way");
}

}  // namespace
}  // namespace hearth::import_ha
