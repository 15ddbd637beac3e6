// SPDX-License-Identifier: Apache-2.0
#include "integrations/dsmr/meter/meter.h"

#include <gtest/gtest.h>

#include "domains/test_home.h"
#include "integrations/dsmr/protocol/telegrams_for_test.h"

namespace hearth::integrations::dsmr {
namespace {

class MeterTest : public testing::Test {
 protected:
  // The error; empty if the meter has taken it.
  std::string take(Meter& meter, std::string_view text) {
    const auto telegram = Telegram::parse(text);
    if (!telegram) return telegram.error().message;
    const auto taken = meter.take(*telegram);
    home_.hub.bus.run_pending();
    return taken ? "" : taken.error().message;
  }
  std::string unit(std::string_view entity_id) const { return home_.attribute(entity_id, "unit_of_measurement"); }

  domains::TestHome home_;
  const domains::IntegrationHome place_ = home_.place("dsmr");
};

TEST_F(MeterTest, OfDsmr5HasItsSensors) {
  Meter meter(place_, "");
  ASSERT_EQ(take(meter, dsmr5_telegram()), "");
  EXPECT_EQ(home_.value("sensor.electricity_meter_energy_consumption_tariff_1"), "1581.123");
  EXPECT_EQ(unit("sensor.electricity_meter_energy_consumption_tariff_1"), "\"kWh\"");
  EXPECT_EQ(home_.attribute("sensor.electricity_meter_energy_consumption_tariff_1", "state_class"),
            "\"total_increasing\"");
  EXPECT_EQ(home_.value("sensor.electricity_meter_energy_production_tariff_2"), "12.5");
  EXPECT_EQ(home_.value("sensor.electricity_meter_power_consumption"), "2.027");
  EXPECT_EQ(home_.value("sensor.electricity_meter_power_consumption_phase_l1"), "0.378");
  EXPECT_EQ(home_.value("sensor.electricity_meter_voltage_phase_l2"), "226.5");
  EXPECT_EQ(home_.value("sensor.electricity_meter_current_phase_l2"), "8.25");
  EXPECT_EQ(home_.value("sensor.electricity_meter_active_tariff"), "normal");
  EXPECT_EQ(home_.value("sensor.gas_meter_gas_consumption"), "473.789");
  EXPECT_EQ(unit("sensor.gas_meter_gas_consumption"), "\"m³\"");
  EXPECT_EQ(home_.value("sensor.water_meter_water_consumption"), "12.25");
  EXPECT_EQ(home_.value("sensor.electricity_meter_short_power_failures"), "");  // disabled
  const auto registry = home_.hub.registry.snapshot();
  const core::Device* const gas = registry->devices.find("dsmr.4730303339303031");
  ASSERT_TRUE(gas);
  EXPECT_EQ(gas->serial_number, "G0039001");
  EXPECT_EQ(gas->via_device_id, "dsmr.4530303434303037");
}

TEST_F(MeterTest, OfDsmr2HasGasInALineOfItsOwn) {
  Meter meter(place_, "");
  ASSERT_EQ(take(meter, kDsmr2Telegram), "");
  EXPECT_EQ(home_.value("sensor.gas_meter_gas_consumption"), "1.456");
  EXPECT_EQ(home_.value("sensor.electricity_meter_power_consumption"), "1.01");
  EXPECT_EQ(home_.value("sensor.electricity_meter_active_tariff"), "low");
}

TEST_F(MeterTest, OfBelgiumCountsTariffsTheOtherWayRound) {
  Meter meter(place_, "");
  ASSERT_EQ(take(meter, telegram_of("FLU5\\253770234_A",
                                    "0-0:96.1.4(50217)\n"
                                    "0-0:96.1.1(3153414733313030303032313434)\n"
                                    "0-0:96.14.0(0001)\n"
                                    "1-0:1.6.0(260105093000W)(06.000*kW)\n"
                                    "0-1:24.1.0(003)\n"
                                    "0-1:96.1.1(37464C4F32313139303138323736)\n"
                                    "0-1:24.2.3(260105092500W)(00112.384*m3)\n")),
            "");
  EXPECT_EQ(home_.value("sensor.electricity_meter_active_tariff"), "normal");
  EXPECT_EQ(home_.value("sensor.electricity_meter_maximum_demand_current_month"), "6");
  EXPECT_EQ(home_.value("sensor.gas_meter_gas_consumption"), "112.384");
}

TEST_F(MeterTest, ValuesThatAreNoNumbersAreUnknown) {
  Meter meter(place_, "");
  ASSERT_EQ(take(meter, telegram_of("A",
                                    "0-0:96.1.1(1)\n"
                                    "1-0:1.8.1(*kWh)\n"
                                    "1-0:1.8.2(12*GJ/m)\n"
                                    "1-0:2.8.1(1e300*kWh)\n"
                                    "1-0:1.7.0(1500*W)\n"
                                    "1-0:2.7.0(nan*kW)\n"
                                    "0-0:96.14.0(0009)\n")),
            "");
  EXPECT_EQ(home_.value("sensor.electricity_meter_energy_consumption_tariff_1"), "unknown");
  EXPECT_EQ(home_.value("sensor.electricity_meter_energy_consumption_tariff_2"), "unknown");
  EXPECT_EQ(home_.value("sensor.electricity_meter_energy_production_tariff_1"), "unknown");
  EXPECT_EQ(home_.value("sensor.electricity_meter_power_consumption"), "1.5");
  EXPECT_EQ(home_.value("sensor.electricity_meter_power_production"), "unknown");
  EXPECT_EQ(home_.value("sensor.electricity_meter_active_tariff"), "unknown");
}

TEST_F(MeterTest, RefusesAnotherMeter) {
  Meter meter(place_, "4530303434303037");
  EXPECT_EQ(take(meter, telegram_of("A", "0-0:96.1.1(4530303434303038)\n1-0:1.8.1(1*kWh)\n")),
            "It is now another meter: E0044008. Expected E0044007.");
  EXPECT_EQ(meter.entity_count(), 0);
  EXPECT_EQ(take(meter, dsmr5_telegram()), "");
  EXPECT_EQ(take(meter, telegram_of("", "1-0:1.8.1(1*kWh)\n")), "The telegram does not name its meter.");
}

TEST_F(MeterTest, MakesNoMoreEntitiesThanItKnows) {
  std::string lines = "0-0:96.1.1(1)\n";
  for (int i = 0; i < 900; ++i) lines += fmt::format("0-{0}:24.1.0(3)\n0-{0}:24.2.1(1)(5*m3)\n", i);
  Meter meter(place_, "");
  EXPECT_TRUE(take(meter, telegram_of("A", lines)).starts_with("The telegram has more than"));
  ASSERT_EQ(take(meter, telegram_of("A", lines.substr(0, 5'000))), "");
  EXPECT_EQ(meter.entity_count(), Meter::kMbusChannels);
}

TEST_F(MeterTest, ComesBackAsItWasUntilTelegramsLackSomething) {
  const std::string gas = "sensor.gas_meter_gas_consumption", power = "sensor.electricity_meter_power_consumption";
  {
    Meter before(place_, "");
    ASSERT_EQ(take(before, dsmr5_telegram()), "");
  }
  domains::TestHome& home = home_;
  const auto registry = home.hub.registry.snapshot();
  for (const auto& [id, entity] : registry->entities) home.domains.entities().withdraw(id);
  home.hub.bus.run_pending();
  Meter meter(place_, "");
  meter.restore();
  home.hub.bus.run_pending();
  EXPECT_EQ(home.value(gas), "473.789");
  meter.set_available(false);
  home.hub.bus.run_pending();
  EXPECT_EQ(home.value(gas), "unavailable");
  ASSERT_EQ(take(meter, telegram_of("A", "0-0:96.1.1(4530303434303037)\n1-0:1.7.0(3*kW)\n")), "");
  meter.set_available(true);
  meter.forget_missing();
  home.hub.bus.run_pending();
  EXPECT_EQ(home.value(power), "3");
  EXPECT_EQ(home.value(gas), "unavailable");
  ASSERT_EQ(take(meter, dsmr5_telegram()), "");
  EXPECT_EQ(home.value(gas), "473.789");
}

}  // namespace
}  // namespace hearth::integrations::dsmr
