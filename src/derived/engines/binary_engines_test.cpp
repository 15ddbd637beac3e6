// SPDX-License-Identifier: Apache-2.0
// tod, trend and bayesian: times and values in, on or off out.
#include "base/text/timestamp.h"
#include "derived/test_derived.h"

namespace hearth::derived {
namespace {

using namespace std::chrono_literals;

// One of these keys, in Berlin.
class Daily {
 public:
  explicit Daily(std::string_view keys) : engine_("tod", "binary_sensor", fmt::format(R"({{"name": "T", {}}})", keys)) {
    EXPECT_EQ(engine_.errors(), "");
  }
  // "on 07:00" at that time in UTC: until when.
  std::string at(std::string_view time) {
    engine_.begin_at(base::parse_timestamp(time).value());
    const std::string until = engine_.attribute("next_update");
    return engine_.value() + " " + (until == "null" ? until : until.substr(1, 25));
  }
  std::string attribute(std::string_view name) { return engine_.attribute(name); }
  TestEngine& engine() { return engine_; }

 private:
  TestEngine engine_;
};

TEST(TodTest, IsOnBetweenTwoTimes) {
  Daily day(R"("after": "06:30", "before": "09:00")");
  EXPECT_EQ(day.at("2026-01-10T05:29:59Z"), "off 2026-01-10T06:30:00+01:00");
  EXPECT_EQ(day.at("2026-01-10T05:30:00Z"), "on 2026-01-10T09:00:00+01:00");
  EXPECT_EQ(day.engine().next(), 9'000);
  EXPECT_EQ(day.at("2026-01-10T08:00:00Z"), "off 2026-01-11T06:30:00+01:00");
  EXPECT_EQ(day.attribute("before"), "\"2026-01-11T09:00:00+01:00\"");
}

TEST(TodTest, GoesOverMidnight) {
  Daily night(R"("after": "22:00", "before": "06:00", "after_offset": "-00:30", "before_offset": "00:15")");
  EXPECT_EQ(night.at("2026-01-10T03:00:00Z"), "on 2026-01-10T06:15:00+01:00");
  EXPECT_EQ(night.at("2026-01-10T12:00:00Z"), "off 2026-01-10T21:30:00+01:00");
  EXPECT_EQ(night.at("2026-01-10T22:59:59Z"), "on 2026-01-11T06:15:00+01:00");
}

TEST(TodTest, FollowsAChangeOfTheClocksAtOnce) {
  // The clocks skip 02:00 to 03:00 on 29 March, and show it twice on 25 October.
  Daily early(R"("after": "02:30", "before": "05:00")");
  EXPECT_EQ(early.at("2026-03-29T00:30:00Z"), "off 2026-03-29T03:00:00+02:00");
  EXPECT_EQ(early.at("2026-03-29T01:00:00Z"), "on 2026-03-29T05:00:00+02:00");
  EXPECT_EQ(early.at("2026-03-29T03:00:00Z"), "off 2026-03-30T02:30:00+02:00");
  EXPECT_EQ(early.at("2026-10-25T00:29:00Z"), "off 2026-10-25T02:30:00+02:00");
  EXPECT_EQ(early.at("2026-10-25T00:30:00Z"), "on 2026-10-25T05:00:00+01:00");
  EXPECT_EQ(early.at("2026-10-25T01:15:00Z"), "on 2026-10-25T05:00:00+01:00");
  // A night in which they change ends by what they show then.
  Daily night(R"("after": "22:00", "before": "06:00")");
  EXPECT_EQ(night.at("2026-03-28T23:00:00Z"), "on 2026-03-29T06:00:00+02:00");
  EXPECT_EQ(night.at("2026-10-24T23:00:00Z"), "on 2026-10-25T06:00:00+01:00");
  Daily midnight(R"("after": "00:00", "before": "07:00")");
  EXPECT_EQ(midnight.at("2026-03-29T04:59:00Z"), "on 2026-03-29T07:00:00+02:00");
  EXPECT_EQ(midnight.at("2026-03-29T22:00:00Z"), "on 2026-03-30T07:00:00+02:00");
}

TEST(TodTest, FollowsTheSun) {
  Daily dark(R"("after": "sunset", "after_offset": "00:30:00", "before": "sunrise")");
  EXPECT_TRUE(dark.at("2026-06-21T19:50:00Z").starts_with("off 2026-06-21T22:0")) << dark.at("2026-06-21T19:50:00Z");
  EXPECT_TRUE(dark.at("2026-06-21T20:30:00Z").starts_with("on 2026-06-22T04:4"));
  EXPECT_TRUE(dark.at("2026-06-22T01:00:00Z").starts_with("on 2026-06-22T04:4"));
  Daily evening(R"("after": "sunset", "before": "23:00")");
  EXPECT_TRUE(evening.at("2026-06-21T20:30:00Z").starts_with("on 2026-06-21T23:00:00+02:00"));
  EXPECT_TRUE(evening.at("2026-06-21T21:30:00Z").starts_with("off 2026-06-22T21:3"));
}

TEST(TodTest, SaysWhatIsWrong) {
  EXPECT_EQ(TestEngine("tod", "binary_sensor", R"({"name": "T", "after": "noon"})").errors(),
            "f.yaml:1: after: expected a time of day such as \"06:30\", sunrise or sunset, found \"noon\"\n"
            "f.yaml:1: before is missing\n");
}

// The only sensor of these keys.
TestEngine trend(std::string_view keys) {
  return TestEngine("trend", "binary_sensor",
                    fmt::format(R"({{"sensors": {{"t": {{"entity_id": "sensor.a"{}}}}}}})", keys));
}

TEST(TrendTest, IsTheSlopeOfTheNearestLine) {
  auto rising = trend(R"(, "max_samples": 4, "min_gradient": 0.05)");
  EXPECT_EQ(rising.errors(), "");
  rising.set(0, "1");
  EXPECT_EQ(rising.value(), "unknown");
  rising.set(10, "2");
  EXPECT_EQ(rising.value(), "on");
  EXPECT_EQ(rising.attribute("gradient"), "0.1");
  rising.set(20, "1");
  rising.set(30, "unavailable");
  rising.set(30, "2");
  EXPECT_EQ(rising.value(), "off");
  EXPECT_EQ(rising.attribute("gradient"), "0.02");
  rising.set(40, "9");
  EXPECT_EQ(rising.value(), "on");
  EXPECT_EQ(rising.attribute("sample_count"), "4");
}

TEST(TrendTest, FallsWithANegativeGradientOrInverted) {
  auto falling = trend(R"(, "min_gradient": -0.1)");
  auto inverted = trend(R"(, "invert": true)");
  for (TestEngine* const each : {&falling, &inverted}) {
    each->set(0, "9");
    each->set(10, "3");
    EXPECT_EQ(each->value(), "on");
    each->set(20, "5");
    EXPECT_EQ(each->value(), "off");
  }
}

TEST(TrendTest, ForgetsWhatIsTooOldAndLooksAtAnAttribute) {
  auto old = trend(R"(, "sample_duration": 60, "max_samples": 10, "min_samples": 3, "attribute": "level")");
  old.set(0, "x", R"({"level": 1})");
  old.set(10, "x", R"({"level": 5})");
  EXPECT_EQ(old.value(), "unknown");
  old.set(20, "x", R"({"level": 9})");
  EXPECT_EQ(old.value(), "on");
  EXPECT_NEAR(old.next(), 60, 0.001);
  old.at(71);
  EXPECT_EQ(old.attribute("sample_count"), "1");
  EXPECT_EQ(old.value(), "on");
}

TEST(TrendTest, SaysWhatIsWrong) {
  EXPECT_EQ(trend(R"(, "min_samples": 5)").errors(),
            "f.yaml:1: min_samples: expected max_samples to be no less than min_samples\n");
  EXPECT_EQ(TestEngine("trend", "binary_sensor", "{}").errors(), "f.yaml:1: [0]: sensors is missing\n");
}

constexpr std::string_view kAsleep =
    R"({"prior": 0.25, "probability_threshold": 0.7, "name": "Asleep", "observations": [
  {"platform": "state", "entity_id": "light.bed", "to_state": "off", "prob_given_true": 0.9, "prob_given_false": 0.2},
  {"platform": "numeric_state", "entity_id": "sensor.noise", "below": 30, "prob_given_true": 0.8,
   "prob_given_false": 0.4}]})";

TEST(BayesianTest, MultipliesTheOddsOfWhatIsKnown) {
  TestEngine asleep("bayesian", "binary_sensor", kAsleep);
  EXPECT_EQ(asleep.errors(), "");
  EXPECT_EQ(asleep.value(), "off");
  EXPECT_EQ(asleep.attribute("probability"), "0.25");
  asleep.set("light.bed", 0, "off");
  EXPECT_EQ(asleep.attribute("probability"), "0.6");
  EXPECT_EQ(asleep.attribute("occurred_observation_entities"), R"(["light.bed"])");
  asleep.set("sensor.noise", 1, "20");
  EXPECT_EQ(asleep.attribute("probability"), "0.75");
  EXPECT_EQ(asleep.value(), "on");
  asleep.set("sensor.noise", 2, "50");
  EXPECT_EQ(asleep.attribute("probability"), "0.33");
  // Unknown says nothing.
  asleep.set("sensor.noise", 3, "unavailable");
  EXPECT_EQ(asleep.attribute("probability"), "0.6");
  EXPECT_TRUE(asleep.attribute("observations").contains(R"("observed":true)"));
}

TEST(BayesianTest, OfSeveralStatesOfOneEntityOnlyTheOneThatIsSoCounts) {
  TestEngine which("bayesian", "binary_sensor", R"({"prior": 0.5, "observations": [
    {"platform": "state", "entity_id": "sensor.x", "to_state": "a", "prob_given_true": 0.6, "prob_given_false": 0.2},
    {"platform": "state", "entity_id": "sensor.x", "to_state": "b", "prob_given_true": 0.1, "prob_given_false": 0.4}]})");
  which.set("sensor.x", 0, "a");
  EXPECT_EQ(which.attribute("probability"), "0.75");
  which.set("sensor.x", 0, "b");
  EXPECT_EQ(which.attribute("probability"), "0.2");
}

TEST(BayesianTest, FollowsItsTemplates) {
  TestDerived home;
  home.apply("binary_sensor", R"([{"platform": "bayesian", "name": "B", "prior": 0.5, "observations": [
    {"platform": "template", "value_template": "{{ is_state('light.a', 'on') }}", "prob_given_true": 0.9,
     "prob_given_false": 0.1},
    {"platform": "template", "value_template": "{{ states('sensor.none') | int }}", "prob_given_true": 0.9,
     "prob_given_false": 0.1}]}])");
  EXPECT_EQ(home.errors(), "");
  EXPECT_EQ(home.attribute("binary_sensor.b", "probability"), "0.1");
  home.set("light.a", "on");
  EXPECT_EQ(home.value("binary_sensor.b"), "on");
  EXPECT_EQ(home.attribute("binary_sensor.b", "probability"), "0.9");
  home.set("sensor.none", "0");
  EXPECT_EQ(home.attribute("binary_sensor.b", "probability"), "0.5");
}

TEST(BayesianTest, SaysWhatIsWrong) {
  EXPECT_EQ(
      TestEngine("bayesian", "binary_sensor", R"({"prior": 2, "observations": [{"platform": "state"}]})").errors(),
      "f.yaml:1: prior: expected a number from 0 to 1, found \"2\"\n"
      "f.yaml:1: observations[0]: prob_given_true is missing\n"
      "f.yaml:1: observations[0]: prob_given_false is missing\n"
      "f.yaml:1: observations[0]: entity_id is missing\n"
      "f.yaml:1: observations[0]: to_state is missing\n");
}

}  // namespace
}  // namespace hearth::derived
