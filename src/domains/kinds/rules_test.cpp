// SPDX-License-Identifier: Apache-2.0
// Rules of kinds that are code, not table.
#include <fmt/format.h>

#include "base/text/timestamp.h"
#include "domains/entities/kinds.h"
#include "domains/entities/test_device.h"
#include "domains/test_home.h"

namespace hearth::domains {
namespace {

// One entity of a kind, and the commands that its device gets.
class Rule {
 public:
  Rule(const Kind& of, Abilities can, Report first = {})
      : kind(of), thing(home.add(std::make_unique<Thing>(of, test_entity("it"), std::move(can), &device))) {
    device.thing = &thing;
    thing.report(std::move(first));
    home.hub.bus.run_pending();
  }
  // "set_value{…} ", or the error.
  std::string told(std::string_view service, json::object data = {}) {
    device.told.clear();
    data["entity_id"] = std::string(kind.domain) + ".it";
    const std::string answer = home.call(fmt::format("{}.{}", kind.domain, service), base::to_json(data));
    return answer.starts_with("invalid") ? answer : device.told;
  }
  std::string value() const { return home.value(std::string(kind.domain) + ".it"); }

  const Kind& kind;
  TestDevice device;
  TestHome home;
  Thing& thing;
};

TEST(Valve, TogglesByItsMovement) {
  Rule valve(kValve, {.features = "open close stop"}, {.value = "closed"});
  EXPECT_EQ(valve.told("toggle"), "open_valve ");
  EXPECT_EQ(valve.told("toggle"), "close_valve ");
  valve.thing.report({.value = "closing"});
  EXPECT_EQ(valve.told("toggle"), "stop_valve ");
  Rule simple(kValve, {.features = "open close"}, {.value = "opening"});
  EXPECT_EQ(simple.told("toggle"), "close_valve ");
  simple.thing.report({.value = "closing"});
  EXPECT_EQ(simple.told("toggle"), "open_valve ");
}

TEST(Select, CyclesThroughItsOptions) {
  Rule select(kSelect, {.attributes = {{"options", {"eco", "fast", "solar"}}}}, {.value = "fast"});
  EXPECT_EQ(select.told("select_next"), R"(select_option{"option":"solar"} )");
  EXPECT_EQ(select.told("select_next", {{"cycle", false}}), R"(select_option{"option":"solar"} )");
  EXPECT_EQ(select.told("select_next"), R"(select_option{"option":"eco"} )");
  EXPECT_EQ(select.told("select_previous", {{"cycle", false}}), R"(select_option{"option":"eco"} )");
  EXPECT_EQ(select.told("select_previous"), R"(select_option{"option":"solar"} )");
  EXPECT_EQ(select.told("select_first"), R"(select_option{"option":"eco"} )");
  EXPECT_EQ(select.told("select_last"), R"(select_option{"option":"solar"} )");
  EXPECT_EQ(select.told("select_option", {{"option", "loud"}}),
            R"(invalid: select.it cannot take the option "loud"; it has eco, fast, solar.)");
  Rule empty(kSelect, {});
  EXPECT_EQ(empty.told("select_next"), "invalid: select.it cannot be set: it has no options.");
}

TEST(Number, IsRoundedToItsStep) {
  Rule number(kNumber, {.attributes = {{"min", 1}, {"max", 9}, {"step", 0.5}}});
  EXPECT_EQ(number.told("set_value", {{"value", 3.3}}), R"(set_value{"value":3.5} )");
  EXPECT_EQ(number.value(), "3.5");
  EXPECT_EQ(number.told("set_value", {{"value", "4"}}), R"(set_value{"value":4.0} )");
  EXPECT_EQ(number.value(), "4");
  EXPECT_EQ(number.told("set_value", {{"value", 9.1}}), "invalid: value: number.it takes 1 to 9, got 9.1");
  number.thing.report({.value = "4.50"});
  EXPECT_EQ(number.value(), "4.50");
}

TEST(Text, IsBoundedInLength) {
  Rule text(kText, {.attributes = {{"min", 2}, {"max", 4}}});
  EXPECT_EQ(text.told("set_value", {{"value", "äöüß"}}), R"(set_value{"value":"äöüß"} )");
  EXPECT_EQ(text.told("set_value", {{"value", "a"}}), "invalid: value: text.it takes 2 to 4 characters, got 1");
  EXPECT_EQ(text.told("set_value", {{"value", "abcde"}}), "invalid: value: text.it takes 2 to 4 characters, got 5");
}

TEST(DateTime, IsByTheHomesClocksUnlessAnOffsetIsGiven) {
  Rule moment(kDateTime, {});
  core::HubConfig config = *moment.home.hub.config.load_once();
  config.time_zone = "Europe/Berlin";
  core::update_config(moment.home.hub, std::move(config), {});
  const auto utc = [&](const char* given) {
    moment.told("set_value", {{"datetime", given}});
    return moment.value().substr(0, 19);
  };
  EXPECT_EQ(utc("2026-04-20 05:04:20"), "2026-04-20T03:04:20");
  EXPECT_EQ(utc("2026-01-20 05:04:20"), "2026-01-20T04:04:20");
  EXPECT_EQ(utc("2026-04-20 05:04:20Z"), "2026-04-20T05:04:20");
  EXPECT_EQ(utc("2026-04-20T05:04:20-03:00"), "2026-04-20T08:04:20");
  EXPECT_EQ(utc("2026-03-29 02:30:00"), "2026-03-29T01:00:00");  // an hour that is skipped
  EXPECT_EQ(utc("2026-10-25 02:30:00"), "2026-10-25T00:30:00");  // one that is repeated
}

TEST(Update, OffersNewerVersions) {
  Rule update(kUpdate, {.features = "install"}, {.attributes = {{"installed_version", "1.9.0"}}});
  EXPECT_EQ(update.value(), "unknown");
  const auto offered = [&](const char* latest) {
    update.thing.report({.attributes = {{"latest_version", latest}}});
    return update.value();
  };
  EXPECT_EQ(offered("1.9.0"), "off");
  EXPECT_EQ(offered("1.10.0"), "on");
  EXPECT_EQ(offered("1.8.9"), "off");
  EXPECT_EQ(offered("1.9"), "off");
  EXPECT_EQ(offered("1.9.0.1"), "on");
  EXPECT_EQ(offered("2024b"), "on");
  EXPECT_EQ(offered("1.9.0-beta"), "on");
}

TEST(Update, IsSkippedUntilThereIsANewerOne) {
  Rule update(kUpdate, {.features = "install"},
              {.attributes = {{"installed_version", "1.0"}, {"latest_version", "1.1"}}});
  EXPECT_EQ(update.told("skip"), "");
  EXPECT_EQ(update.value(), "off");
  EXPECT_EQ(update.told("skip"), "invalid: update.it cannot skip an update: there is none.");
  EXPECT_EQ(update.told("clear_skipped"), "");
  EXPECT_EQ(update.value(), "on");
  update.told("skip");
  EXPECT_EQ(update.told("install"), "install ");
  update.thing.report({.attributes = {{"latest_version", "1.2"}}});
  EXPECT_EQ(update.value(), "on");
  update.thing.report({.attributes = {{"in_progress", true}}});
  EXPECT_EQ(update.told("install"), "invalid: update.it cannot install twice at once.");
  update.thing.report({.attributes = {{"in_progress", false}, {"installed_version", "1.2"}}});
  EXPECT_EQ(update.told("install"), "invalid: update.it cannot install an update: there is none.");
}

TEST(AlarmPanel, RequiresItsCode) {
  Rule panel(kAlarmControlPanel,
             {.features = "arm_away trigger", .attributes = {{"code_format", "number"}, {"code_arm_required", false}}});
  EXPECT_EQ(panel.told("alarm_arm_away"), "alarm_arm_away ");
  EXPECT_EQ(panel.told("alarm_disarm"), "invalid: code: alarm_control_panel.it needs digits");
  EXPECT_EQ(panel.told("alarm_disarm", {{"code", "12a"}}), "invalid: code: alarm_control_panel.it needs digits");
  EXPECT_EQ(panel.told("alarm_disarm", {{"code", 123}}), R"(alarm_disarm{"code":"123"} )");
  EXPECT_EQ(panel.told("alarm_trigger"), "alarm_trigger ");
  panel.thing.report({.attributes = {{"code_arm_required", true}}});
  EXPECT_EQ(panel.told("alarm_arm_away"), "invalid: code: alarm_control_panel.it needs digits");
  Rule open(kAlarmControlPanel, {.features = "arm_away"});
  EXPECT_EQ(open.told("alarm_disarm"), "alarm_disarm ");
}

TEST(MediaPlayer, KnowsItsStepsOrIsSetToTheVolume) {
  Rule player(kMediaPlayer, {.features = "play pause volume_set"},
              {.value = "playing", .attributes = {{"volume_level", 0.95}}});
  EXPECT_EQ(player.told("volume_up"), R"(volume_set{"volume_level":1.0} )");
  EXPECT_EQ(player.told("media_play_pause"), "media_pause ");
  EXPECT_EQ(player.told("media_play_pause"), "media_play ");
  Rule stepper(kMediaPlayer, {.features = "volume_step"});
  EXPECT_EQ(stepper.told("volume_down"), "volume_down ");
  EXPECT_EQ(stepper.told("volume_set", {{"volume_level", 0.5}}), "invalid: media_player.it cannot set its volume.");
}

TEST(WaterHeater, GetsWordsForItsAwayMode) {
  Rule boiler(kWaterHeater, {.features = "away_mode"});
  EXPECT_EQ(boiler.told("set_away_mode", {{"away_mode", "true"}}), R"(set_away_mode{"away_mode":"on"} )");
  EXPECT_EQ(boiler.home.attribute("water_heater.it", "away_mode"), "\"on\"");
}

TEST(Event, HasTheTimeAtWhichItHappened) {
  Rule bell(kEvent, {.attributes = {{"event_types", {"ring"}}}}, {.value = nullptr});
  EXPECT_EQ(bell.value(), "unknown");
  bell.thing.report({.attributes = {{"event_type", "ring"}}});
  EXPECT_EQ(bell.value(), base::to_string(bell.home.clock.now()));
  EXPECT_EQ(bell.home.attribute("event.it", "event_type"), "\"ring\"");
}

}  // namespace
}  // namespace hearth::domains
