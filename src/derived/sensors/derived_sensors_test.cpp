// SPDX-License-Identifier: Apache-2.0
// Sensors made of others in a home: they follow, come back after a restart, ask history, and are read again.
#include "derived/test_derived.h"

namespace hearth::derived {
namespace {

using namespace std::chrono_literals;

TEST(DerivedSensors, FollowTheirSources) {
  TestDerived home;
  home.apply("sensor", R"([{"platform": "min_max", "name": "Warmest", "entity_ids": ["sensor.a", "sensor.b"]}])");
  EXPECT_EQ(home.errors(), "");
  EXPECT_EQ(home.value("sensor.warmest"), "unknown");
  home.set("sensor.a", "20", R"({"unit_of_measurement": "°C", "device_class": "temperature"})");
  home.set("sensor.b", "21.5", R"({"unit_of_measurement": "°C", "device_class": "temperature"})");
  home.run();
  EXPECT_EQ(home.value("sensor.warmest"), "21.5");
  EXPECT_EQ(home.attribute("sensor.warmest", "max_entity_id"), "\"sensor.b\"");
  EXPECT_EQ(home.attribute("sensor.warmest", "unit_of_measurement"), "\"°C\"");
  EXPECT_EQ(home.attribute("sensor.warmest", "device_class"), "\"temperature\"");
  EXPECT_EQ(home.attribute("sensor.warmest", "state_class"), "\"measurement\"");
  home.set("sensor.b", "unavailable");
  EXPECT_EQ(home.value("sensor.warmest"), "20.0");
}

TEST(DerivedSensors, AreWrittenOnlyIfSomethingDiffers) {
  TestDerived home;
  home.set("sensor.a", "1");
  home.apply("binary_sensor", R"([{"platform": "threshold", "entity_id": "sensor.a", "upper": 5, "name": "High"}])");
  EXPECT_EQ(home.value("binary_sensor.high"), "off");
  int writes = 0;
  const auto listening = home.bus().listen(core::event_type::kStateChanged, [&](const core::Event& event) {
    writes += event.state_change()->entity_id() == "binary_sensor.high";
  });
  home.set("sensor.a", "1", R"({"x": 1})");
  EXPECT_EQ(writes, 0);
  home.set("sensor.a", "9");
  EXPECT_EQ(home.value("binary_sensor.high"), "on");
  EXPECT_EQ(writes, 1);
}

TEST(DerivedSensors, NameWhatMadeThemChange) {
  TestDerived home;
  home.set("sensor.a", "1");
  home.apply("sensor", R"([{"platform": "min_max", "name": "M", "entity_ids": "sensor.a"}])");
  home.set("sensor.a", "2");
  EXPECT_EQ(home.automations.home.hub.states.find("sensor.m")->context().id,
            home.automations.home.hub.states.find("sensor.a")->context().id);
}

constexpr std::string_view kMean =
    R"([{"platform": "statistics", "name": "Mean", "entity_id": "sensor.a", "state_characteristic": "mean",
         "sampling_size": 10}])";

TEST(DerivedSensors, ShowTheirLastStateUntilHistoryAnswers) {
  TestDerived home;
  home.set("sensor.a", "3");
  const auto now = home.automations.home.clock.now();
  home.history.add("sensor.a", "1", now - 20s);
  home.history.add("sensor.a", "unavailable", now - 15s);
  home.history.add("sensor.a", "2", now - 10s);
  home.history.add("sensor.a", "3", now);
  home.apply("sensor", kMean);
  EXPECT_EQ(home.value("sensor.mean"), "2.0");
  EXPECT_EQ(home.history.questions.at(0).most, 10U);
  home.set("sensor.a", "6");
  EXPECT_EQ(home.value("sensor.mean"), "3.0");
}

TEST(DerivedSensors, CountAChangeThatComesWhileHistoryIsAskedOnce) {
  TestDerived home;
  home.automations.write("sensor.a", "3");
  home.run();
  home.history.add("sensor.a", "1", home.automations.home.clock.now() - 20s);
  automation::Sections sections;
  sections.platforms.emplace_back("sensor", automation::test_node(kMean));
  home.automations.home.clock.advance(1s);
  home.sensors.apply(derived::parse_configuration(sections));
  home.automations.write("sensor.a", "5");
  home.run();
  EXPECT_EQ(home.value("sensor.mean"), "3.0");
}

TEST(DerivedSensors, GoOnWithTheirSumAfterARestart) {
  TestDerived home;
  constexpr std::string_view watt = R"({"unit_of_measurement": "W", "device_class": "power"})";
  home.set("sensor.p", "100", watt);
  constexpr std::string_view platforms = R"([{"platform": "integration", "source": "sensor.p", "name": "Energy"}])";
  home.apply("sensor", platforms);
  home.advance(1h, 1min);
  home.set("sensor.p", "100.0", watt);
  EXPECT_EQ(home.value("sensor.energy"), "100.000");
  home.sensors.stop();
  // Sources are restored first, and say so.
  home.set("sensor.p", "100", R"({"unit_of_measurement": "W", "restored": true})");
  home.apply("sensor", platforms);
  EXPECT_EQ(home.value("sensor.energy"), "100.000");
  home.advance(1h, 1min);
  home.set("sensor.p", "100", watt);
  EXPECT_EQ(home.value("sensor.energy"), "100.000");
  home.advance(1h, 1min);
  home.set("sensor.p", "200", watt);
  EXPECT_EQ(home.value("sensor.energy"), "250.000");
}

TEST(DerivedSensors, KeepTheirSumWhileTheSourceIsAway) {
  TestDerived home;
  constexpr std::string_view watt = R"({"unit_of_measurement": "W", "device_class": "power"})";
  home.set("sensor.p", "100", watt);
  constexpr std::string_view platforms = R"([{"platform": "integration", "source": "sensor.p", "name": "Energy"}])";
  home.apply("sensor", platforms);
  home.advance(1h, 1min);
  home.set("sensor.p", "100.0", watt);
  home.set("sensor.p", "unavailable");
  EXPECT_EQ(home.value("sensor.energy"), "unavailable");
  home.sensors.stop();
  home.apply("sensor", platforms);
  EXPECT_EQ(home.value("sensor.energy"), "unavailable");
  home.set("sensor.p", "200", watt);
  EXPECT_EQ(home.value("sensor.energy"), "100.000");
  home.advance(1h, 1min);
  home.set("sensor.p", "200.0", watt);
  EXPECT_EQ(home.value("sensor.energy"), "300.000");
}

TEST(DerivedSensors, StayAsTheyAreIfAReloadChangesNothing) {
  TestDerived home;
  home.set("sensor.a", "20");
  constexpr std::string_view upper =
      R"([{"platform": "threshold", "name": "High", "entity_id": "sensor.a", "upper": 10, "hysteresis": 5}])";
  home.apply("binary_sensor", upper);
  home.set("sensor.a", "12");
  EXPECT_EQ(home.value("binary_sensor.high"), "on");
  const auto before = home.automations.home.hub.states.find("binary_sensor.high");
  home.apply("binary_sensor", upper);
  EXPECT_EQ(home.automations.home.hub.states.find("binary_sensor.high"), before);
  // A broken one leaves the last good one.
  home.apply("binary_sensor", R"([{"platform": "threshold", "name": "High", "entity_id": "sensor.a", "uper": 10}])");
  EXPECT_EQ(home.value("binary_sensor.high"), "on");
  EXPECT_EQ(home.sensors.faults()->size(), 1U);
  home.apply("binary_sensor", "[]");
  EXPECT_EQ(home.value("binary_sensor.high"), "");
  EXPECT_TRUE(home.sensors.faults()->empty());
}

TEST(DerivedSensors, ThatAreBrokenSayAllThatIsWrong) {
  TestDerived home;
  home.apply("sensor", R"([{"platform": "min_max", "name": "M", "type": "most", "entity_ids": ["sensor.a"], "x": 1}])");
  EXPECT_EQ(home.value("sensor.m"), "unavailable");
  EXPECT_EQ(
      home.errors(),
      "f.yaml:1: type: expected one of min, max, mean, median, last, range, sum, found \"most\"\n"
      "f.yaml:1: x: unknown key. Known: platform, scan_interval, unique_id, name, type, round_digits, entity_ids\n");
  EXPECT_EQ(home.sensors.faults()->at(0).entity_id, "sensor.m");
}

TEST(DerivedSensors, ThatStandInTheWrongPlaceAreNamed) {
  TestDerived home;
  home.apply("sensor", R"([{"platform": "threshold", "entity_id": "sensor.a", "upper": 1}])");
  EXPECT_EQ(home.errors(), "f.yaml:1: [0].platform: threshold is a platform of binary_sensor, not of sensor\n");
}

TEST(DerivedSensors, AreThoseThatOthersLeaveToThem) {
  std::string all;
  for (const Platform& platform : platforms()) all += (all.empty() ? "" : " ") + std::string(platform.name);
  EXPECT_EQ(all, automation::kDerivedPlatforms.text());
}

TEST(DerivedSensors, ShowNoSecretInTheirErrors) {
  std::size_t errors = 0;
  for (
      const auto& [domain, written] :
      {std::pair(
           "sensor",
           R"({"platform": "min_max", "unique_id": "u", "name": "n", "type": "mean", "round_digits": 1, "entity_ids": ["sensor.a"]})"),
       std::pair(
           "sensor",
           R"({"platform": "statistics", "entity_id": "sensor.a", "state_characteristic": "mean", "sampling_size": 5, "max_age": 9})"),
       std::pair(
           "sensor",
           R"({"platform": "filter", "entity_id": "sensor.a", "filters": [{"filter": "outlier", "window_size": 4, "radius": 4}]})"),
       std::pair("binary_sensor",
                 R"({"platform": "threshold", "entity_id": "sensor.a", "upper": 4, "device_class": "heat"})"),
       std::pair("binary_sensor",
                 R"({"platform": "tod", "name": "n", "after": "10:00", "before": "11:00", "after_offset": 5})")}) {
    automation::with_each_secret(base::parse_json(written).value(), [&, of = std::string(domain)](const auto& node) {
      automation::Sections sections;
      sections.platforms.emplace_back(of, node);
      for (const std::string& error : errors_of(derived::parse_configuration(sections))) {
        ++errors;
        EXPECT_FALSE(error.contains(automation::kTestSecret)) << error;
      }
    });
  }
  automation::with_each_secret(
      base::parse_json(
          R"({"m": {"source": "sensor.a", "cron": "0 0 * * *", "tariffs": ["x", "y"], "delta_values": true}})")
          .value(),
      [&](const auto& node) {
        automation::Sections sections;
        sections.derived.emplace_back("utility_meter", node);
        for (const std::string& error : errors_of(derived::parse_configuration(sections))) {
          ++errors;
          EXPECT_FALSE(error.contains(automation::kTestSecret)) << error;
        }
      });
  EXPECT_GT(errors, 5U);
}

}  // namespace
}  // namespace hearth::derived
