// SPDX-License-Identifier: Apache-2.0
// min_max, threshold, integration and derivative: values in with their times, what the sensor shows out.
#include "derived/test_derived.h"

namespace hearth::derived {
namespace {

constexpr std::string_view kWatt = R"({"unit_of_measurement": "W", "device_class": "power"})";

struct TypedValue {
  const char *type, *value;
};
class MinMaxType : public testing::TestWithParam<TypedValue> {};

TEST_P(MinMaxType, SkipsMembersThatAreUnknown) {
  TestEngine engine("min_max", "sensor",
                    fmt::format(R"({{"type": "{}", "entity_ids": ["sensor.a", "sensor.b", "sensor.c", "sensor.d"]}})",
                                GetParam().type));
  engine.set("sensor.a", 0, "17", kWatt);
  engine.set("sensor.b", 1, "20", kWatt);
  engine.set("sensor.c", 2, "15.3", kWatt);
  engine.set("sensor.d", 3, "unknown");
  EXPECT_EQ(engine.value(), GetParam().value);
  EXPECT_EQ(engine.show().unit, "W");
  EXPECT_EQ(engine.show().device_class, "power");
}

INSTANTIATE_TEST_SUITE_P(All, MinMaxType,
                         testing::Values(TypedValue{"min", "15.3"}, TypedValue{"max", "20.0"},
                                         TypedValue{"mean", "17.43"}, TypedValue{"median", "17.0"},
                                         TypedValue{"last", "15.3"}, TypedValue{"range", "4.7"},
                                         TypedValue{"sum", "unknown"}));

TEST(MinMaxTest, SumsWhenAllAreKnownAndNamesTheGreatest) {
  TestEngine sum("min_max", "sensor", R"({"type": "sum", "entity_ids": "sensor.a, sensor.b", "round_digits": 0})");
  sum.set("sensor.a", 0, "1.4");
  sum.set("sensor.b", 0, "2");
  EXPECT_EQ(sum.value(), "3");
  TestEngine max("min_max", "sensor", R"({"entity_ids": ["sensor.a", "sensor.b"]})");
  EXPECT_EQ(max.value(), "unknown");
  EXPECT_EQ(max.plan().name, "Max sensor");
  max.set("sensor.a", 0, "1");
  max.set("sensor.b", 0, "2");
  EXPECT_EQ(max.attribute("max_entity_id"), "\"sensor.b\"");
  max.set("sensor.b", 0, "unavailable");
  EXPECT_EQ(max.attribute("max_entity_id"), "\"sensor.a\"");
}

TEST(MinMaxTest, HasNoNumberForTwoUnits) {
  TestEngine engine("min_max", "sensor", R"({"entity_ids": ["sensor.a", "sensor.b"]})");
  engine.set("sensor.a", 0, "1", R"({"unit_of_measurement": "W"})");
  engine.set("sensor.b", 0, "2", R"({"unit_of_measurement": "°C"})");
  EXPECT_EQ(engine.value(), "unknown");
  EXPECT_EQ(engine.show().unit, "ERR");
}

// "21 22 20 …" as on and off.
std::string decisions(std::string_view keys, std::initializer_list<const char*> values) {
  TestEngine engine("threshold", "binary_sensor", keys);
  std::string all;
  for (const char* const value : values) {
    engine.set(0, value);
    all += engine.value() + ":" + engine.attribute("position") + " ";
  }
  return all;
}

TEST(ThresholdTest, KeepsItsStateBetweenTheHystereses) {
  EXPECT_EQ(decisions(R"({"entity_id": "sensor.t", "upper": 20, "hysteresis": 2})", {"20", "22", "22.1", "18", "17.9"}),
            R"(off:"unknown" off:"unknown" on:"above" on:"above" off:"below" )");
  EXPECT_EQ(decisions(R"({"entity_id": "sensor.t", "lower": 20, "hysteresis": 2})", {"18", "17.9", "22", "22.1"}),
            R"(off:"unknown" on:"below" on:"below" off:"above" )");
  EXPECT_EQ(decisions(R"({"entity_id": "sensor.t", "lower": 10, "upper": 20, "hysteresis": 1})",
                      {"15", "21", "21.1", "19", "18.9", "9", "8.9", "unknown", "15"}),
            R"(on:"in_range" on:"in_range" off:"above" off:"above" on:"in_range" on:"in_range" off:"below" )"
            R"(unknown:"unknown" on:"in_range" )");
}

TEST(ThresholdTest, IsAfterARestartAsItWas) {
  TestEngine engine("threshold", "binary_sensor", R"({"entity_id": "sensor.t", "upper": 20, "hysteresis": 2})");
  engine.set(0, "20");
  engine.restore("binary_sensor.threshold", "on", R"({"position": "above"})");
  EXPECT_EQ(engine.value(), "on");
  EXPECT_EQ(engine.attribute("position"), "\"above\"");
  engine.set(1, "17");
  EXPECT_EQ(engine.value(), "off");
  EXPECT_EQ(engine.attribute("type"), "\"upper\"");
}

// Of 0 W, 100 W after 30 minutes and 50 W after an hour.
std::string energy(std::string_view method) {
  TestEngine engine("integration", "sensor", fmt::format(R"({{"source": "sensor.p", "method": "{}"}})", method));
  engine.set(0, "0", kWatt);
  EXPECT_EQ(engine.value(), "unknown");
  engine.set(1800, "100", kWatt);
  engine.set(3600, "50", kWatt);
  return engine.value();
}

TEST(IntegrationTest, SumsByEachMethod) {
  EXPECT_EQ(energy("trapezoidal"), "62.500");
  EXPECT_EQ(energy("left"), "50.000");
  EXPECT_EQ(energy("right"), "75.000");
}

TEST(IntegrationTest, MakesItsUnitOfTheSources) {
  TestEngine engine("integration", "sensor", R"({"source": "sensor.p", "unit_prefix": "k", "round": 2})");
  engine.set(0, "500", kWatt);
  engine.set(3600, "500", kWatt);
  EXPECT_EQ(engine.value(), "0.50");
  EXPECT_EQ(engine.show().unit, "kWh");
  EXPECT_EQ(engine.show().device_class, "energy");
  EXPECT_EQ(engine.show().state_class, "total");
  TestEngine flow("integration", "sensor", R"({"source": "sensor.f", "unit_time": "min"})");
  flow.set(0, "2", R"({"unit_of_measurement": "L/min"})");
  flow.set(90, "2", R"({"unit_of_measurement": "L/min"})");
  EXPECT_EQ(flow.value(), "3.000");
  EXPECT_EQ(flow.show().unit, "L");
}

TEST(IntegrationTest, LeavesOutTheTimeWhileTheSourceWasAwayOrTheHubDown) {
  TestEngine engine("integration", "sensor", R"({"source": "sensor.p", "method": "left"})");
  engine.set("sensor.p", 0, "100", kWatt, Reading::Why::restored);
  engine.restore("sensor.x", "7", R"({"unit_of_measurement": "Wh"})");
  EXPECT_EQ(engine.value(), "7.000");
  engine.set("sensor.p", 3600, "100", kWatt);
  EXPECT_EQ(engine.value(), "7.000");
  engine.set(7200, "100", kWatt);
  EXPECT_EQ(engine.value(), "107.000");
  engine.set(7300, "unavailable");
  EXPECT_EQ(engine.value(), "unavailable");
  engine.set(10000, "100", kWatt);
  EXPECT_EQ(engine.value(), "107.000");
  engine.set(13600, "0", kWatt);
  EXPECT_EQ(engine.value(), "207.000");
}

TEST(IntegrationTest, GoesOnWithASourceThatStaysTheSame) {
  TestEngine engine("integration", "sensor", R"({"source": "sensor.p", "max_sub_interval": {"minutes": 1}})");
  engine.set(0, "60", kWatt);
  EXPECT_EQ(engine.next(), 60);
  engine.at(60);
  EXPECT_EQ(engine.value(), "1.000");
  EXPECT_EQ(engine.next(), 120);
  engine.set(90, "0", kWatt);
  EXPECT_EQ(engine.value(), "1.250");
}

TEST(IntegrationTest, KeepsTheQuantityIfTheSourceHasAnotherUnit) {
  TestEngine engine("integration", "sensor", R"({"source": "sensor.p"})");
  engine.set(0, "1000", kWatt);
  engine.set(3600, "1000", kWatt);
  EXPECT_EQ(engine.value(), "1000.000");
  engine.set(3600, "1", R"({"unit_of_measurement": "kW"})");
  EXPECT_EQ(engine.value(), "1.000");
  EXPECT_EQ(engine.show().unit, "kWh");
}

TEST(DerivativeTest, IsTheSlopeOfTheLastTwoValues) {
  TestEngine engine("derivative", "sensor", R"({"source": "sensor.e", "unit_time": "min", "round": 1})");
  engine.set(0, "10", R"({"unit_of_measurement": "L"})");
  EXPECT_EQ(engine.value(), "unknown");
  engine.set(30, "11", R"({"unit_of_measurement": "L"})");
  EXPECT_EQ(engine.value(), "2.0");
  EXPECT_EQ(engine.show().unit, "L/min");
  engine.set(90, "9", R"({"unit_of_measurement": "L"})");
  EXPECT_EQ(engine.value(), "-2.0");
}

TEST(DerivativeTest, WeighsSlopesWithinTheWindow) {
  TestEngine engine("derivative", "sensor", R"({"source": "sensor.e", "unit_time": "s", "time_window": "00:00:10"})");
  engine.set(0, "0");
  engine.set(4, "4");
  EXPECT_EQ(engine.value(), "0.400");
  engine.set(8, "4");
  EXPECT_EQ(engine.value(), "0.400");
  engine.set(12, "16");
  // 2 of the first 4 seconds are left: (2·1 + 4·0 + 4·3) / 10.
  EXPECT_EQ(engine.value(), "1.400");
  engine.set(42, "46");
  EXPECT_EQ(engine.value(), "1.000");
}

TEST(DerivativeTest, OfACounterThatBeginsAnewDoesNotFall) {
  TestEngine engine("derivative", "sensor", R"({"source": "sensor.e", "unit_time": "s", "unit": "W", "round": 0})");
  constexpr std::string_view counter = R"({"state_class": "total_increasing"})";
  engine.set(0, "10", counter);
  engine.set(1, "12", counter);
  engine.set(2, "0", counter);
  EXPECT_EQ(engine.value(), "2");
  engine.set(3, "5", counter);
  EXPECT_EQ(engine.value(), "5");
  EXPECT_EQ(engine.show().unit, "W");
}

}  // namespace
}  // namespace hearth::derived
