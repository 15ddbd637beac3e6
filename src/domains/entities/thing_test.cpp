// SPDX-License-Identifier: Apache-2.0
#include "domains/entities/thing.h"

#include <cmath>

#include "base/log/log.h"
#include "domains/entities/kinds.h"
#include "domains/entities/test_device.h"
#include "domains/test_home.h"

namespace hearth::domains {
namespace {

// "on {…}": the report restored from a state of the kind; what the state lacks is as in `first`.
std::string after_restart(const Kind& kind, std::string_view value, std::string_view attributes = "{}",
                          Report first = {}) {
  const auto id = core::EntityId::parse(std::string(kind.domain) + ".x").value();
  const Report report = restored(kind, std::move(first), *core::State::create(id, value, attributes, {}, {}));
  return (report.value ? std::string(report.value->get_string()) : "-") + ' ' + base::to_json(report.attributes);
}

std::size_t warnings() {
  return base::recent_log().records().size();
}

TEST(ThingRestored, IsWhatItWas) {
  EXPECT_EQ(after_restart(kSwitch, "on"), "on {}");
  EXPECT_EQ(after_restart(kSwitch, "perhaps", "{}", {.value = "off"}), "off {}");
  EXPECT_EQ(after_restart(kSwitch, "unavailable", "{}", {.value = "off"}), "off {}");
  EXPECT_EQ(after_restart(kCover, "open", R"({"current_tilt_position":55,"friendly_name":"x"})"),
            R"(open {"current_tilt_position":55})");
  EXPECT_EQ(
      after_restart(kFan, "on", R"({"percentage":66,"preset_mode":"sleep","oscillating":true,"direction":"reverse"})"),
      R"(on {"percentage":66,"preset_mode":"sleep","oscillating":true,"direction":"reverse"})");
  EXPECT_EQ(after_restart(kSensor, "21.50"), "21.50 {}");
}

TEST(ThingRestored, HasCompletedItsMovement) {
  EXPECT_EQ(after_restart(kLock, "unlocking"), "unlocked {}");
  EXPECT_EQ(after_restart(kLock, "opening"), "open {}");
  EXPECT_EQ(after_restart(kLock, "jammed"), "jammed {}");
  EXPECT_EQ(after_restart(kCover, "closing", R"({"current_position":40})"), R"(closed {"current_position":40})");
}

TEST(ThingRestored, IgnoresImpossibleValues) {
  EXPECT_EQ(after_restart(kFan, "on", R"({"percentage":101,"oscillating":"perhaps","direction":null})",
                          {.attributes = {{"percentage", 33}}}),
            R"(on {"percentage":33})");
}

TEST(Thing, KeepsWhatIsNotNamed) {
  TestHome home;
  Thing& cover = home.add(std::make_unique<Thing>(kCover, test_entity("blind"), Abilities{.features = "set_position"}));
  cover.report({.value = "open", .attributes = {{"current_position", 70}}});
  cover.report({.value = "closing"});
  EXPECT_EQ(home.attribute("cover.blind", "current_position"), "70");
  cover.report({.attributes = {{"current_position", "60"}}});
  EXPECT_EQ(home.value("cover.blind"), "closing");
  EXPECT_EQ(home.attribute("cover.blind", "current_position"), "60");
  cover.report({.value = nullptr, .attributes = {{"current_position", nullptr}}});
  EXPECT_EQ(home.value("cover.blind"), "unknown");
  EXPECT_EQ(home.attribute("cover.blind", "current_position"), "null");
}

TEST(Thing, LogsOnceWhatItsKindDoesNotHave) {
  TestHome home;
  Thing& cover = home.add(std::make_unique<Thing>(kCover, test_entity("blind"), Abilities{.features = "set_position"}));
  cover.report({.value = "open", .attributes = {{"current_position", 70}}});
  base::recent_log().clear();
  for (int i = 0; i < 3; ++i) {
    cover.report({.value = "ajar", .attributes = {{"current_position", 101}, {"speed", 3}}});
  }
  EXPECT_EQ(home.value("cover.blind"), "open");
  EXPECT_EQ(home.attribute("cover.blind", "current_position"), "70");
  EXPECT_EQ(home.attribute("cover.blind", "speed"), "");
  ASSERT_EQ(warnings(), 1u);
  EXPECT_EQ(base::recent_log().records().front()->message,
            R"(cover.blind of test reports values that no cover can have: current_position: expected )"
            R"(a whole number from 0 to 100, got 101; speed: no such attribute; )"
            R"(the value "ajar", expected one of open, opening, closed, closing)");
}

TEST(Thing, ShowsNoNan) {
  TestHome home;
  Thing& fan = home.add(std::make_unique<Thing>(kFan, test_entity("fan"), Abilities{.features = "set_speed"}));
  for (const double none : {std::nan(""), field::kEndless, -field::kEndless}) {
    fan.report({.value = "on", .attributes = {{"percentage_step", none}, {"percentage", none}}});
    EXPECT_EQ(home.hub.states.find("fan.fan")->attributes_json(),
              R"({"supported_features":49,"percentage":null,"percentage_step":null,"friendly_name":"fan"})");
  }
}

}  // namespace
}  // namespace hearth::domains
