// SPDX-License-Identifier: Apache-2.0
// statistics and filter. The expected numbers are those of Python's module statistics.
#include "derived/test_derived.h"

namespace hearth::derived {
namespace {

struct Expected {
  const char *characteristic, *value, *unit;
};
class StatisticsOf : public testing::TestWithParam<Expected> {};

TEST_P(StatisticsOf, SevenValues) {
  TestEngine engine("statistics", "sensor",
                    fmt::format(R"({{"entity_id": "sensor.a", "state_characteristic": "{}", "sampling_size": 7,
                                    "precision": 4, "percentile": 95}})",
                                GetParam().characteristic));
  double at = 0;
  for (const char* const value : {"3", "17", "unknown", "20", "15.2", "5", "3.8", "9.2"})
    engine.set(at += 10, value, R"({"unit_of_measurement": "°C"})");
  EXPECT_EQ(engine.value(), GetParam().value);
  EXPECT_EQ(engine.show().unit, GetParam().unit);
}

INSTANTIATE_TEST_SUITE_P(
    All, StatisticsOf,
    testing::Values(Expected{"average_linear", "12.2286", "°C"}, Expected{"average_step", "11.5714", "°C"},
                    Expected{"average_timeless", "10.4571", "°C"}, Expected{"change", "6.2", "°C"},
                    Expected{"change_sample", "1.0333", "°C/sample"}, Expected{"change_second", "0.0886", "°C/s"},
                    Expected{"count", "7", ""}, Expected{"datetime_newest", "2026-11-21T00:01:20.000000+00:00", ""},
                    Expected{"datetime_oldest", "2026-11-21T00:00:10.000000+00:00", ""},
                    Expected{"datetime_value_max", "2026-11-21T00:00:40.000000+00:00", ""},
                    Expected{"datetime_value_min", "2026-11-21T00:00:10.000000+00:00", ""},
                    Expected{"distance_95_percent_of_values", "27.1424", "°C"},
                    Expected{"distance_99_percent_of_values", "35.7282", "°C"},
                    Expected{"distance_absolute", "17.0", "°C"}, Expected{"mean", "10.4571", "°C"},
                    Expected{"mean_circular", "10.4544", "°C"}, Expected{"median", "9.2", "°C"},
                    Expected{"noisiness", "6.4333", "°C"}, Expected{"percentile", "21.8", "°C"},
                    Expected{"standard_deviation", "6.9241", "°C"}, Expected{"sum", "73.2", "°C"},
                    Expected{"sum_differences", "38.6", "°C"}, Expected{"sum_differences_nonnegative", "46.4", "°C"},
                    Expected{"total", "73.2", "°C"}, Expected{"value_max", "20.0", "°C"},
                    Expected{"value_min", "3.0", "°C"}, Expected{"variance", "47.9429", "°C²"}));

TEST(StatisticsTest, TakesAsManySamplesAsItCanIfTheyHaveAnAge) {
  TestEngine engine(
      "statistics", "sensor",
      R"({"entity_id": "sensor.a", "state_characteristic": "count", "sampling_size": 172800, "max_age": 60})");
  EXPECT_EQ(engine.errors(), "");
  EXPECT_TRUE(engine.plan().warning.contains("sampling_size: only the last 20000 samples are kept"));
  TestEngine without("statistics", "sensor",
                     R"({"entity_id": "sensor.a", "state_characteristic": "count", "sampling_size": 172800})");
  EXPECT_TRUE(without.errors().contains("sampling_size: expected"));
}

TEST(StatisticsTest, TakesNumbersForWholeNumbers) {
  for (const auto& [written, shown] : {std::pair("0.1", 2.0), std::pair("1.0", 1.7), std::pair("\"2.9\"", 1.67)}) {
    TestEngine engine("statistics", "sensor",
                      fmt::format(R"({{"entity_id": "sensor.a", "state_characteristic": "mean", "sampling_size": 3.0,
                                      "precision": {}}})",
                                  written));
    EXPECT_EQ(engine.errors(), "") << written;
    for (const char* const value : {"1", "2", "2"}) engine.set(1, value);
    EXPECT_DOUBLE_EQ(std::stod(engine.value()), shown) << written;
  }
  for (const char* const wrong : {"16", "-1", "\"x\"", "[]"}) {
    TestEngine engine("statistics", "sensor",
                      fmt::format(R"({{"entity_id": "sensor.a", "state_characteristic": "mean", "sampling_size": 3,
                                      "precision": {}}})",
                                  wrong));
    EXPECT_TRUE(engine.errors().contains("precision: expected a whole number from 0 to 15")) << wrong;
  }
}

TEST(StatisticsTest, ForgetsWhatIsTooOldOrTooMuch) {
  TestEngine engine("statistics", "sensor",
                    R"({"entity_id": "sensor.a", "state_characteristic": "mean", "sampling_size": 2, "max_age": 60})");
  engine.set(0, "1");
  engine.set(10, "3");
  engine.set(20, "5");
  EXPECT_EQ(engine.value(), "4.0");
  EXPECT_EQ(engine.attribute("buffer_usage_ratio"), "1.0");
  EXPECT_EQ(engine.attribute("age_coverage_ratio"), "0.17");
  EXPECT_EQ(engine.attribute("source_value_valid"), "true");
  EXPECT_NEAR(engine.next(), 70, 0.01);
  engine.at(70.01);
  EXPECT_EQ(engine.value(), "5.0");
  engine.at(81);
  EXPECT_EQ(engine.value(), "unknown");
  EXPECT_EQ(engine.next(), -1);
}

TEST(StatisticsTest, KeepsTheLastSampleIfToldSo) {
  TestEngine engine(
      "statistics", "sensor",
      R"({"entity_id": "sensor.a", "state_characteristic": "mean", "max_age": 60, "keep_last_sample": true})");
  engine.set(0, "1");
  engine.set(1, "2");
  engine.at(1000);
  EXPECT_EQ(engine.value(), "2.0");
}

TEST(StatisticsTest, SaysWhetherTheSourceCounts) {
  TestEngine engine("statistics", "sensor",
                    R"({"entity_id": "sensor.a", "state_characteristic": "mean", "sampling_size": 20})");
  engine.set(0, "1");
  engine.set(1, "much");
  EXPECT_EQ(engine.attribute("source_value_valid"), "false");
  engine.set(2, "unavailable");
  EXPECT_EQ(engine.value(), "unavailable");
  engine.set(3, "2");
  EXPECT_EQ(engine.value(), "1.5");
}

TEST(StatisticsTest, OfABinarySensorAreShares) {
  const auto of = [](std::string_view characteristic) {
    TestEngine engine("statistics", "sensor",
                      fmt::format(R"({{"entity_id": "binary_sensor.a", "state_characteristic": "{}",
                                      "sampling_size": 20}})",
                                  characteristic));
    double at = 0;
    for (const char* const value : {"on", "off", "on", "off"}) engine.set(at += 10, value);
    return engine.value() + engine.show().unit;
  };
  EXPECT_EQ(of("mean"), "50.0%");
  EXPECT_EQ(of("average_step"), "66.67%");
  EXPECT_EQ(of("count_on"), "2");
  EXPECT_EQ(of("count_off"), "2");
}

// The chain of these filters, fed a value each 10 s.
std::string filtered(std::string_view filters, std::initializer_list<double> values) {
  TestEngine engine("filter", "sensor", fmt::format(R"({{"entity_id": "sensor.a", "filters": {}}})", filters));
  EXPECT_EQ(engine.errors(), "");
  std::string all;
  double at = 0;
  for (const double value : values) {
    engine.set(at += 10, std::to_string(value), R"({"unit_of_measurement": "W", "state_class": "measurement"})");
    all += engine.value() + " ";
  }
  return all;
}

TEST(FilterTest, EachKind) {
  EXPECT_EQ(filtered(R"([{"filter": "outlier", "window_size": 3, "radius": 4}])", {20, 19, 18, 30, 20, 31}),
            "20.0 19.0 18.0 19.0 20.0 20.0 ");
  EXPECT_EQ(filtered(R"([{"filter": "lowpass", "time_constant": 10}])", {20, 30, 30}), "20.0 21.0 21.9 ");
  EXPECT_EQ(filtered(R"([{"filter": "range", "lower_bound": 10, "upper_bound": 20}])", {5, 15, 25}), "10.0 15.0 20.0 ");
  EXPECT_EQ(filtered(R"([{"filter": "throttle", "window_size": 3}])", {1, 2, 3, 4, 5}), "1.0 1.0 1.0 4.0 4.0 ");
  EXPECT_EQ(filtered(R"([{"filter": "time_throttle", "window_size": "00:00:20"}])", {1, 2, 3, 4, 5}),
            "1.0 1.0 3.0 3.0 5.0 ");
  EXPECT_EQ(filtered(R"([{"filter": "time_simple_moving_average", "window_size": "00:00:20", "precision": 1}])",
                     {10, 20, 30, 30}),
            "10.0 10.0 15.0 25.0 ");
}

TEST(FilterTest, AChainPassesOnWhatEachLetsThrough) {
  EXPECT_EQ(
      filtered(R"([{"filter": "range", "upper_bound": 20}, {"filter": "throttle", "window_size": 2, "precision": 0}])",
               {50, 1, 15.4}),
      "20 20 15 ");
}

TEST(FilterTest, IsAsItsSource) {
  TestEngine engine("filter", "sensor",
                    R"({"entity_id": "sensor.a", "filters": [{"filter": "throttle", "window_size": 9}]})");
  engine.set(0, "1", R"({"unit_of_measurement": "W", "device_class": "power", "state_class": "measurement"})");
  EXPECT_EQ(engine.show().unit + engine.show().device_class + engine.show().state_class, "Wpowermeasurement");
  engine.set(1, "unavailable");
  EXPECT_EQ(engine.value(), "unavailable");
  engine.set(2, "2");
  EXPECT_EQ(engine.value(), "1.0");
}

}  // namespace
}  // namespace hearth::derived
