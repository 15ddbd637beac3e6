// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "domains/entities/kinds.h"
#include "domains/entities/thing.h"
#include "domains/test_home.h"

namespace hearth::domains {
namespace {

// Obeys at once, and remembers its speed while it is off.
class Ventilator final : public ThingDevice {
 public:
  void act(const Action& action, const json::object& data) override {
    Report report = outcome(kFan, action, data);
    if (const json::value* const given = data.if_contains("percentage")) speed_ = *given, preset_ = nullptr;
    if (const json::value* const given = data.if_contains("preset_mode")) preset_ = *given;
    if (report.value) on_ = *report.value == json::value("on");
    report.attributes["percentage"] = on_ ? speed_ : json::value(0);
    report.attributes["preset_mode"] = on_ ? preset_ : json::value();
    fan->report(std::move(report));
  }

  Thing* fan = nullptr;

 private:
  bool on_ = false;
  json::value speed_ = 0, preset_;
};

class FanServices : public testing::Test {
 protected:
  FanServices() {
    ceiling.fan = &home.add(std::make_unique<Thing>(
        kFan, test_entity("ceiling"),
        Abilities{.features = "set_speed preset_mode oscillate direction",
                  .attributes = {{"preset_modes", {"sleep", "breeze"}}, {"percentage_step", 25}}},
        &ceiling));
    plain.fan = &home.add(std::make_unique<Thing>(kFan, test_entity("plain"), Abilities(), &plain));
    ceiling.fan->report(
        {.value = false, .attributes = {{"percentage", 0}, {"oscillating", false}, {"direction", "forward"}}});
    plain.fan->report({.value = false});
    home.hub.bus.run_pending();
  }

  // The fan's state, percentage and preset after the service.
  std::string after(std::string_view service, std::string_view fields = "") {
    const std::string failed =
        home.call(service, fmt::format(R"({{"entity_id": "fan.ceiling"{}{}}})", fields.empty() ? "" : ", ", fields));
    if (failed.starts_with("invalid")) return failed;
    return fmt::format("{} {} {}", home.value("fan.ceiling"), home.attribute("fan.ceiling", "percentage"),
                       home.attribute("fan.ceiling", "preset_mode"));
  }
  std::string plain_call(std::string_view service, std::string_view field) {
    return home.call(service, fmt::format(R"({{"entity_id": ["fan.ceiling", "fan.plain"], {}}})", field));
  }

  Ventilator ceiling, plain;
  TestHome home;
};

TEST_F(FanServices, SetTheSpeed) {
  EXPECT_EQ(after("fan.turn_on", R"("percentage": 66)"), "on 66 null");
  EXPECT_EQ(after("fan.set_percentage", R"("percentage": 20)"), "on 20 null");
  EXPECT_EQ(after("fan.set_percentage", R"("percentage": 0)"), "off 0 null");
  EXPECT_EQ(after("fan.turn_on"), "on 20 null");
  EXPECT_EQ(after("fan.toggle"), "off 0 null");
  EXPECT_EQ(after("fan.toggle"), "on 20 null");
  EXPECT_EQ(after("fan.turn_on", R"("percentage": 0)"), "off 0 null");
}

TEST_F(FanServices, StepTheSpeed) {
  EXPECT_EQ(after("fan.increase_speed"), "on 25 null");
  EXPECT_EQ(after("fan.increase_speed", R"("percentage_step": 60)"), "on 85 null");
  EXPECT_EQ(after("fan.increase_speed"), "on 100 null");
  EXPECT_EQ(after("fan.decrease_speed", R"("percentage_step": 70)"), "on 30 null");
  EXPECT_EQ(after("fan.decrease_speed"), "on 5 null");
  EXPECT_EQ(after("fan.decrease_speed"), "off 0 null");
}

TEST_F(FanServices, RunPresets) {
  EXPECT_EQ(after("fan.set_preset_mode", R"("preset_mode": "sleep")"), "on 0 \"sleep\"");
  EXPECT_EQ(after("fan.turn_on", R"("preset_mode": "breeze")"), "on 0 \"breeze\"");
  EXPECT_EQ(after("fan.turn_on", R"("percentage": 40)"), "on 40 null");
  EXPECT_EQ(after("fan.turn_on", R"("preset_mode": "storm")"),
            R"(invalid: fan.ceiling cannot run with the preset "storm"; it has sleep, breeze.)");
  EXPECT_EQ(after("fan.turn_on", R"("preset_mode": "sleep", "percentage": 1)"),
            "invalid: percentage, preset_mode: only one of them per call");
}

TEST_F(FanServices, SwingAndReverseWithoutTurningOn) {
  EXPECT_EQ(after("fan.oscillate", R"("oscillating": "true")"), "off 0 null");
  EXPECT_EQ(home.attribute("fan.ceiling", "oscillating"), "true");
  EXPECT_EQ(after("fan.set_direction", R"("direction": "reverse")"), "off 0 null");
  EXPECT_EQ(home.attribute("fan.ceiling", "direction"), "\"reverse\"");
}

TEST_F(FanServices, NameTheFanThatLacksAFeature) {
  EXPECT_EQ(plain_call("fan.set_percentage", R"("percentage": 20)"), "invalid: fan.plain cannot change its speed.");
  EXPECT_EQ(plain_call("fan.increase_speed", R"("percentage_step": 20)"),
            "invalid: fan.plain cannot change its speed.");
  EXPECT_EQ(plain_call("fan.set_preset_mode", R"("preset_mode": "sleep")"),
            "invalid: fan.plain cannot run with presets.");
  EXPECT_EQ(plain_call("fan.oscillate", R"("oscillating": true)"), "invalid: fan.plain cannot oscillate.");
  EXPECT_EQ(plain_call("fan.set_direction", R"("direction": "forward")"),
            "invalid: fan.plain cannot change its direction.");
  EXPECT_EQ(home.value("fan.ceiling"), "off");
}

TEST_F(FanServices, LeaveOutWhatAFanCannotHonour) {
  EXPECT_EQ(plain_call("fan.turn_on", R"("percentage": 20)"), "fan.ceiling on, fan.plain on");
  EXPECT_EQ(home.attribute("fan.ceiling", "percentage"), "20");
  EXPECT_EQ(home.attribute("fan.plain", "percentage"), "");
  EXPECT_EQ(plain_call("fan.turn_on", R"("preset_mode": "sleep")"), "fan.ceiling on");
  EXPECT_EQ(plain_call("fan.turn_on", R"("percentage": 0)"), "fan.ceiling off, fan.plain off");
  EXPECT_EQ(plain_call("fan.turn_on", R"("preset_mode": "storm")"),
            R"(invalid: fan.ceiling cannot run with the preset "storm"; it has sleep, breeze.)");
  EXPECT_EQ(home.value("fan.plain"), "off");
}

TEST_F(FanServices, LeaveOutFansThatLackTheFeatureIfNobodyNamedThem) {
  EXPECT_EQ(home.call("fan.set_percentage", R"({"entity_id": "all", "percentage": 20})"), "fan.ceiling on");
  EXPECT_EQ(home.call("fan.set_percentage", R"({"entity_id": ["fan.plain", "all"], "percentage": 30})"),
            "invalid: fan.plain cannot change its speed.");
  EXPECT_EQ(home.attribute("fan.ceiling", "percentage"), "20");
}

TEST_F(FanServices, ShowTheFansFeatures) {
  EXPECT_EQ(home.hub.states.find("fan.ceiling")->attributes_json(),
            R"({"preset_modes":["sleep","breeze"],"supported_features":63,"percentage":0,"percentage_step":25.0,)"
            R"("preset_mode":null,"oscillating":false,"direction":"forward","friendly_name":"ceiling"})");
  EXPECT_EQ(home.hub.states.find("fan.plain")->attributes_json(),
            R"({"supported_features":48,"friendly_name":"plain"})");
}

}  // namespace
}  // namespace hearth::domains
