// SPDX-License-Identifier: Apache-2.0
#include "core/alerts/snoozes.h"

#include "core/alerts/alert_test_home.h"

namespace hearth::core {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::seconds;
using SnoozeTest = AlertTest;

TEST_F(SnoozeTest, ASnoozeOfAWarningLastsForADayAndEndsByItself) {
  hub.alerts.start();
  set_class("sensor.battery", "battery", "15");
  ASSERT_TRUE(only());
  ASSERT_TRUE(snooze_all());
  EXPECT_TRUE(snoozed());
  set_class("sensor.battery", "battery", "16");
  pass(hours(1));
  set_class("sensor.battery", "battery", "15");
  EXPECT_TRUE(snoozed()) << "it is the same thing to the person";
  pass(hours(22));
  EXPECT_TRUE(snoozed());
  pass(hours(1));
  EXPECT_FALSE(snoozed());
  EXPECT_TRUE(hub.registry.snapshot()->items_of(kAlertSnoozes).empty());
}

TEST_F(SnoozeTest, ANewDangerIsNotSnoozed) {
  hub.alerts.start();
  set_class("binary_sensor.leak", "moisture", "on");
  ASSERT_TRUE(only());
  ASSERT_TRUE(snooze_all());
  EXPECT_TRUE(snoozed());
  pass(hours(1));
  EXPECT_TRUE(snoozed());
  set_class("binary_sensor.leak", "moisture", "off");
  pass(seconds(1));
  set_class("binary_sensor.leak", "moisture", "on");
  EXPECT_TRUE(only());
  EXPECT_FALSE(snoozed());
}

TEST_F(SnoozeTest, ASnoozeCanBeEndedAndBelongsToOneUser) {
  hub.alerts.start();
  set_class("sensor.battery", "battery", "15");
  ASSERT_TRUE(only());
  ASSERT_TRUE(snooze_all());
  EXPECT_FALSE(snoozed_until(*hub.registry.snapshot(), "another", *only(), hub.clock.now()));
  ASSERT_TRUE(unsnooze(hub.registry, std::string(kUserId), {only()->id, "unknown"}, hub.clock.now(), context()));
  EXPECT_FALSE(snoozed());
}

TEST_F(SnoozeTest, AClockThatJumpsDoesNotMakeASnoozeLong) {
  hub.alerts.start();
  set_class("sensor.battery", "battery", "15");
  ASSERT_TRUE(only());
  ASSERT_TRUE(snooze_all());
  clock.set(hub.clock.now() - days(365));
  EXPECT_FALSE(snoozed());
  ASSERT_TRUE(snooze_all());
  clock.set(hub.clock.now() + days(2));
  EXPECT_FALSE(snoozed());
}

TEST_F(SnoozeTest, AUserMaySnoozeSoManyAtATime) {
  hub.alerts.start();
  for (std::size_t i = 0; i <= kMaxSnoozed; ++i) set_class(fmt::format("sensor.battery_{}", i), "battery", "3");
  settle();
  const auto refused = snooze_all();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, base::ErrorCode::full);
  EXPECT_TRUE(hub.registry.snapshot()->items_of(kAlertSnoozes).empty());
  set_class("sensor.battery_0", "battery", "30");
  settle();
  EXPECT_TRUE(snooze_all());
}

}  // namespace
}  // namespace hearth::core
