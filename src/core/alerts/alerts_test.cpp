// SPDX-License-Identifier: Apache-2.0
#include "core/alerts/alerts.h"

#include "core/alerts/alert_test_home.h"

namespace hearth::core {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

// Each row of the table: it alerts when its time has come, and neither before, nor with another value or class.
TEST_F(AlertTest, EachRowOfTheTableAlerts) {
  hub.alerts.start();
  for (const AlertRule& rule : alert_rules()) {
    if (rule.domain.empty()) continue;
    const std::string id = std::string(rule.domain) + ".row";
    SCOPED_TRACE(fmt::format("{} {} {}", rule.kind, rule.domain, rule.device_class));
    const std::string_view value = rule.test == AlertRule::Test::is_low ? "15" : rule.value;
    set_class(id, rule.device_class, value);
    if (rule.patience > base::Duration(0)) {
      EXPECT_EQ(now(), Kinds{});
      pass(rule.patience - seconds(10));
      EXPECT_EQ(now(), Kinds{});
      pass(seconds(10));
    }
    EXPECT_EQ(now(), Kinds{std::string(rule.kind) + ' ' + id});
    for (const std::string_view calm : {"off", "closed", "16", "unavailable", "unknown", "idle", ""}) {
      set_class(id, rule.device_class, value);
      pass(rule.patience);
      ASSERT_TRUE(only());
      set_class(id, rule.device_class, calm);
      EXPECT_EQ(now(), Kinds{}) << calm;
    }
    if (!rule.device_class.empty()) {
      set_class(id, "another", value);
      pass(days(1));
      EXPECT_EQ(now(), Kinds{});
      set(id, value);
      pass(days(1));
      EXPECT_EQ(now(), Kinds{});
    }
    hub.states.remove(id, context()).value();
  }
}

TEST_F(AlertTest, DangerComesFirstAndWarningsOfAKindTogetherTheLatestFirst) {
  hub.alerts.start();
  set_class("sensor.a", "battery", "9");
  pass(seconds(1));
  set_class("binary_sensor.heat", "heat", "on");
  set_class("sensor.b", "battery", "10");
  pass(seconds(1));
  set_class("binary_sensor.leak", "moisture", "on");
  set_class("binary_sensor.smoke", "smoke", "on");
  EXPECT_EQ(now(), (Kinds{"smoke binary_sensor.smoke", "moisture binary_sensor.leak", "heat binary_sensor.heat",
                          "battery sensor.b", "battery sensor.a"}));
}

TEST_F(AlertTest, ADangerIsPublishedAtOnceAndWarningsTogether) {
  hub.alerts.start();
  set_class("sensor.a", "battery", "9");
  set_class("sensor.b", "battery", "9");
  hub.bus.run_pending();
  EXPECT_TRUE(hub.alerts.list()->empty());
  set_class("binary_sensor.smoke", "smoke", "on");
  hub.bus.run_pending();
  clock.advance(EventBus::kRelaxedDelay);
  hub.bus.run_pending();
  EXPECT_EQ(hub.alerts.list()->size(), 3u);
  set_class("binary_sensor.smoke", "smoke", "off");
  EXPECT_EQ(now().size(), 2u);
  EXPECT_EQ(events, (std::vector<std::string>{"raised smoke binary_sensor.smoke", "raised battery sensor.a",
                                              "raised battery sensor.b", "ended smoke binary_sensor.smoke"}));
}

TEST_F(AlertTest, KnowsBatteriesThatAreLow) {
  hub.alerts.start();
  for (const auto& [value, is_low] : std::vector<std::pair<std::string_view, bool>>{{"0", true},
                                                                                    {"15", true},
                                                                                    {"15.0", true},
                                                                                    {"15.1", false},
                                                                                    {"100", false},
                                                                                    {"-1", false},
                                                                                    {"nan", false},
                                                                                    {"5 %", false},
                                                                                    {"low", false},
                                                                                    {"", false},
                                                                                    {"1e1", true}}) {
    set_class("sensor.battery", "battery", value);
    EXPECT_EQ(now().size(), is_low ? 1u : 0u) << value;
  }
  set("sensor.battery", "3", R"({"device_class":"battery","unit_of_measurement":"%"})");
  EXPECT_EQ(now().size(), 1u);
  set("sensor.battery", "3", R"({"device_class":"battery","unit_of_measurement":"V"})");
  EXPECT_EQ(now().size(), 0u);
}

TEST_F(AlertTest, ABatteryThatFallsFurtherIsLowSinceItWas) {
  hub.alerts.start();
  set_class("sensor.battery", "battery", "15");
  const auto since = hub.clock.now();
  pass(hours(3));
  set_class("sensor.battery", "battery", "14");
  ASSERT_TRUE(only());
  EXPECT_EQ(only()->since, since);
  EXPECT_EQ(events, std::vector<std::string>{"raised battery sensor.battery"});
}

TEST_F(AlertTest, TheFlagOfABatteryIsNotToldBesideItsPercentage) {
  put("sensor.battery", "phone", "diagnostic");
  put("binary_sensor.low", "phone", "diagnostic");
  put("binary_sensor.other", "remote", "diagnostic");
  hub.alerts.start();
  set_class("binary_sensor.low", "battery", "on");
  set_class("sensor.battery", "battery", "9");
  pass(seconds(1));
  set_class("binary_sensor.other", "battery", "on");
  EXPECT_EQ(now(), (Kinds{"battery sensor.battery", "battery binary_sensor.other"}));
  set_class("sensor.battery", "battery", "unavailable");
  EXPECT_EQ(now(), (Kinds{"battery binary_sensor.other", "battery binary_sensor.low"}));
}

TEST_F(AlertTest, AGroupIsNotToldBesideItsMembers) {
  hub.alerts.start();
  const std::string_view group = R"({"device_class":"smoke","entity_id":["binary_sensor.a","binary_sensor.b"]})";
  set_class("binary_sensor.a", "smoke", "on");
  set("binary_sensor.all", "on", group);
  EXPECT_EQ(now(), Kinds{"smoke binary_sensor.a"});
  put("binary_sensor.a");
  edit("binary_sensor.a", {.hidden_by = ChangedBy::user});
  EXPECT_EQ(now(), Kinds{"smoke binary_sensor.all"});
}

TEST_F(AlertTest, AnUpdateThatIsBeingInstalledNeedsNobody) {
  hub.alerts.start();
  set("update.a", "on", R"({"device_class":"firmware","in_progress":false})");
  EXPECT_EQ(now(), Kinds{"update update.a"});
  for (const char* const attributes : {R"({"in_progress":true})", R"({"in_progress":40})", R"({"auto_update":true})"}) {
    set("update.a", "on", attributes);
    EXPECT_EQ(now(), Kinds{}) << attributes;
  }
}

TEST_F(AlertTest, TheClassIsTheEntitysOwnAndNotOneWithinAnotherAttribute) {
  hub.alerts.start();
  set("binary_sensor.a", "on", R"({"x":{"device_class":"motion"},"device_class":"smoke"})");
  set("binary_sensor.b", "on", R"({"x":{"device_class":"smoke"},"device_class":"motion"})");
  set("binary_sensor.c", "on", R"({"x":{"device_class":"smoke"}})");
  set("binary_sensor.d", "on", R"({"friendly_name":"\"device_class\":\"smoke\""})");
  set("binary_sensor.e", "on", R"({"device_class":["smoke"]})");
  EXPECT_EQ(now(), Kinds{"smoke binary_sensor.a"});
}

TEST_F(AlertTest, HiddenDisabledAndDiagnosticEntities) {
  put("binary_sensor.smoke", "detector", "diagnostic");
  put("sensor.battery", "detector", "diagnostic");
  put("binary_sensor.cover", "detector", "diagnostic");
  hub.alerts.start();
  set_class("binary_sensor.smoke", "smoke", "on");
  set_class("sensor.battery", "battery", "3");
  set_class("binary_sensor.cover", "opening", "on");
  pass(days(1));
  const Kinds both{"smoke binary_sensor.smoke", "battery sensor.battery"};
  EXPECT_EQ(now(), both);
  edit("sensor.battery", {.hidden_by = ChangedBy::user});
  EXPECT_EQ(now(), Kinds{"smoke binary_sensor.smoke"});
  edit("sensor.battery", {.hidden_by = std::optional<ChangedBy>()});
  EXPECT_EQ(now(), both);
  ASSERT_TRUE(hub.registry.update_device("detector", {.disabled_by = ChangedBy::user}, context()));
  EXPECT_EQ(now(), Kinds{});
  ASSERT_TRUE(hub.registry.update_device("detector", {.disabled_by = std::optional<ChangedBy>()}, context()));
  EXPECT_EQ(now(), both);
  hub.states.remove("sensor.battery", context()).value();
  EXPECT_EQ(now(), Kinds{"smoke binary_sensor.smoke"});
}

TEST_F(AlertTest, AnEntityThatIsRenamedKeepsItsAlertsId) {
  put("binary_sensor.old");
  hub.alerts.start();
  set_class("binary_sensor.old", "smoke", "on");
  ASSERT_TRUE(only());
  const std::string id = only()->id;
  edit("binary_sensor.old", {.new_entity_id = "binary_sensor.new"});
  hub.states.remove("binary_sensor.old", context()).value();
  set_class("binary_sensor.new", "smoke", "on");
  EXPECT_EQ(now(), Kinds{"smoke binary_sensor.new"});
  EXPECT_EQ(only()->id, id);
}

TEST_F(AlertTest, AnAlertFollowsItsEntityToAnotherRoom) {
  const std::string kitchen = hub.registry.ensure_area("Kitchen").id, attic = hub.registry.ensure_area("Attic").id;
  put("sensor.battery", "remote");
  hub.alerts.start();
  set_class("sensor.battery", "battery", "3");
  ASSERT_TRUE(only());
  EXPECT_EQ(only()->area_id, "");
  ASSERT_TRUE(hub.registry.update_device("remote", {.area_id = base::OptionalText(kitchen)}, context()));
  ASSERT_TRUE(only());
  EXPECT_EQ(only()->area_id, kitchen);
  edit("sensor.battery", {.area_id = base::OptionalText(attic)});
  EXPECT_EQ(only()->area_id, attic);
  EXPECT_EQ(events.back(), "changed battery sensor.battery");
}

TEST_F(AlertTest, ADeviceThatDoesNotAnswerForAnHourCountsOnce) {
  for (const char* const id : {"switch.plug", "sensor.power"}) put(id, "plug");
  put("sensor.signal", "plug", "diagnostic");
  hub.alerts.start();
  for (const char* const id : {"switch.plug", "sensor.power", "sensor.signal"}) set(id, "on");
  set("switch.plug", "unavailable");
  pass(hours(2));
  EXPECT_EQ(now(), Kinds{}) << "a part of it answers";
  set("sensor.power", "unavailable");
  set("sensor.signal", "unavailable");
  const auto since = hub.clock.now();
  pass(minutes(59));
  EXPECT_EQ(now(), Kinds{});
  pass(minutes(1));
  EXPECT_EQ(now(), Kinds{"unavailable sensor.power"});
  EXPECT_EQ(only()->since, since);
  EXPECT_EQ(only()->id, "unavailable.plug");
  set("sensor.signal", "-60");
  EXPECT_EQ(now(), Kinds{});
}

TEST_F(AlertTest, DevicesThatMayBeSilent) {
  put("binary_sensor.door", "asleep");
  put("sensor.door_battery", "asleep", "diagnostic");
  put("media_player.tv", "tv");
  put("sensor.tv", "tv");
  put("remote.tv", "remote");
  put("device_tracker.phone", "phone");
  put("switch.hidden", "hidden");
  put("sensor.signal", "diagnosed", "diagnostic");
  put("select.mode", "diagnosed", "config");
  put("sensor.of_no_device");
  put("sensor.disabled", "disabled");
  edit("switch.hidden", {.hidden_by = ChangedBy::user});
  hub.alerts.start();
  set("sensor.door_battery", "80", R"({"device_class":"battery"})");
  const auto registry = hub.registry.snapshot();
  for (const auto& [id, entity] : registry->entities)
    set(id, "unavailable", id == "sensor.door_battery" ? R"({"device_class":"battery"})" : "{}");
  set("sensor.unregistered", "unavailable");
  ASSERT_TRUE(hub.registry.update_device("disabled", {.disabled_by = ChangedBy::user}, context()));
  pass(hours(2));
  EXPECT_EQ(now(), Kinds{});
  edit("switch.hidden", {.hidden_by = std::optional<ChangedBy>()});
  EXPECT_EQ(now(), Kinds{"unavailable switch.hidden"});
}

TEST_F(AlertTest, AnEntityThatLeavesItsDeviceTakesItsSilenceWithIt) {
  put("switch.plug", "plug");
  hub.alerts.start();
  set("switch.plug", "unavailable");
  pass(hours(1));
  EXPECT_EQ(now(), Kinds{"unavailable switch.plug"});
  hub.registry.forget_devices({"plug"});
  EXPECT_EQ(now(), Kinds{});
}

TEST_F(AlertTest, ADeviceThatIsSilentForAWeekIsNoAlertAnyLonger) {
  put("switch.plug", "plug");
  hub.alerts.start();
  set("switch.plug", "unavailable");
  pass(days(7) - minutes(1));
  EXPECT_EQ(now(), Kinds{"unavailable switch.plug"});
  EXPECT_TRUE(hub.alerts.lasting()->empty());
  pass(minutes(1));
  EXPECT_EQ(now(), Kinds{});
  ASSERT_EQ(hub.alerts.lasting()->size(), 1u);
  set("switch.plug", "off");
  settle();
  EXPECT_TRUE(hub.alerts.lasting()->empty());
}

TEST_F(AlertTest, AfterARestartTimesAreThoseOfTheRestoredStates) {
  const auto begun = hub.clock.now();
  const auto restored = [&](std::string_view id, std::string_view value, std::string_view device_class,
                            base::Duration age) {
    return State::create(*EntityId::parse(id), value, fmt::format(R"({{"device_class":"{}"}})", device_class),
                         {begun - age, begun - age}, context());
  };
  put("switch.plug", "plug");
  put("switch.lamp", "lamp");
  EXPECT_TRUE(hub.states
                  .restore({restored("binary_sensor.door", "on", "door", minutes(50)),
                            restored("cover.garage", "open", "garage", minutes(70)),
                            restored("binary_sensor.smoke", "on", "smoke", minutes(3)),
                            restored("binary_sensor.window", "on", "window", -days(300)),
                            restored("switch.plug", "unavailable", "", hours(3)),
                            restored("switch.lamp", "unavailable", "", days(30))})
                  .empty());
  hub.alerts.start();
  const auto list = hub.alerts.list();
  hub.bus.run_pending();
  EXPECT_EQ(events, std::vector<std::string>()) << "they are nothing new";
  ASSERT_EQ(list->size(), 3u);
  EXPECT_EQ((*list)[0]->since, begun - minutes(3));
  EXPECT_EQ((*list)[1]->since, begun - minutes(70));
  EXPECT_EQ((*list)[2]->since, begun - hours(3));
  EXPECT_EQ(hub.alerts.lasting()->size(), 1u);
  pass(minutes(10));
  EXPECT_EQ(now(), (Kinds{"smoke binary_sensor.smoke", "open binary_sensor.door", "open cover.garage",
                          "unavailable switch.plug"}));
  pass(hours(4));  // a time that is ahead counts from now on
  EXPECT_EQ(now().size(), 5u);
}

TEST_F(AlertTest, AJumpOfTheClockNeitherRaisesNorDelaysAnAlert) {
  hub.alerts.start();
  set_class("binary_sensor.door", "door", "on");
  settle();
  clock.set(hub.clock.now() + days(300));
  EXPECT_EQ(now(), Kinds{});
  clock.set(hub.clock.now() - days(600));
  pass(hours(1));
  EXPECT_EQ(now(), Kinds{"open binary_sensor.door"});
}

TEST_F(AlertTest, AClientsEventIsNotBelieved) {
  hub.alerts.start();
  hub.bus.fire(event_type::kStateChanged, R"({"entity_id":"binary_sensor.smoke"})", Origin::remote, context(),
               FiredBy::client);
  EXPECT_EQ(now(), Kinds{});
}

TEST_F(AlertTest, TheListIsBoundedAndKeepsTheGravest) {
  hub.alerts.start();
  for (std::size_t i = 0; i < Alerts::kMaxListed + 100; ++i)
    set_class(fmt::format("sensor.battery_{}", i), "battery", "3");
  set_class("binary_sensor.smoke", "smoke", "on");
  settle();
  EXPECT_EQ(hub.alerts.list()->size(), Alerts::kMaxListed);
  EXPECT_EQ(hub.alerts.list()->front()->rule->kind, "smoke");
  for (std::size_t i = 0; i < Alerts::kMaxListed + 100; ++i)
    set_class(fmt::format("sensor.battery_{}", i), "battery", "30");
  EXPECT_EQ(now(), Kinds{"smoke binary_sensor.smoke"});
}

}  // namespace
}  // namespace hearth::core
