// SPDX-License-Identifier: Apache-2.0
#include "integrations/modbus/options/entity_readers.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "integrations/modbus/options/reading.h"

namespace hearth::integrations::modbus {
namespace {

CommonOptions read_common(base::ConfigReader& in) {
  CommonOptions common;
  in.text("name", common.name);
  if (common.name.empty()) in.report(in.node(), in.node().error("name: missing; expected the entity's name"));
  in.text("unique_id", common.unique_id);
  in.text("device_class", common.device_class);
  in.text("icon", common.icon);
  read_whole(in, "slave", common.unit, 0, 255);
  read_whole(in, "device_address", common.unit, 0, 255);
  if (!in.find("address")) in.report(in.node(), in.node().error("address: missing; expected 0 to 65535"));
  read_whole(in, "address", common.address, 0, 65'535);
  read_seconds(in, "scan_interval", common.scan_interval, 86'400);
  std::int64_t lazy = 0;  // an error is said at once, and goes with the next good answer
  read_whole(in, "lazy_error_count", lazy, 0, 1'000);
  return common;
}

void read_virtual(base::ConfigReader& in, std::int64_t& count) {
  read_whole(in, "virtual_count", count, 0, kMaxVirtual - 1);
  read_whole(in, "slave_count", count, 0, kMaxVirtual - 1);
}

void check_end(base::ConfigReader& in, const CommonOptions& common, std::size_t words) {
  if (common.address + words > 65'536)
    in.report(in.node(), in.node().error(fmt::format("address: {} and {} more are beyond the last, 65535",
                                                     common.address, words - 1)));
}

void read_layout(base::ConfigReader& in, Layout& made, std::string type) {
  std::string structure;
  in.option("data_type", type,
            {{"int16", "int16"},
             {"int32", "int32"},
             {"int64", "int64"},
             {"uint16", "uint16"},
             {"uint32", "uint32"},
             {"uint64", "uint64"},
             {"float16", "float16"},
             {"float32", "float32"},
             {"float64", "float64"},
             {"string", "string"},
             {"custom", "custom"}});
  std::size_t count = 0;
  read_whole(in, "count", count, 1, kMaxReadRegisters);
  in.text("structure", structure);
  const auto report = [&](std::string_view what) { in.report(in.node(), in.node().error(what)); };
  if (type == "custom") {
    const auto layout = parse_structure(structure);
    if (!layout)
      report("structure: expected the format of a struct of at most 125 registers, such as \">f\" or \">2h\"");
    else if (count != 0 && layout->bytes() != count * 2)
      report(fmt::format("structure: it has {} bytes, but count: {} has {}", layout->bytes(), count, count * 2));
    if (layout) made = *layout;
    return;
  }
  if (!structure.empty()) report("structure: only for data_type: custom");
  if (type == "string" && count == 0) report("count: missing; expected the registers of the string");
  made = *layout_of(type, std::max<std::size_t>(count, 1));
  if (count != 0 && made.registers() != count)
    report(fmt::format("count: expected {} for data_type: {}, found {}", made.registers(), type, count));
}

void read_numbers(base::ConfigReader& in, const Layout& layout, Swap& swap, Scaling& scaling) {
  in.option("swap", swap,
            {{"none", Swap::none}, {"byte", Swap::byte}, {"word", Swap::word}, {"word_byte", Swap::word_byte}});
  if ((swap == Swap::word || swap == Swap::word_byte) && layout.registers() < 2)
    in.report(in.node(), in.node().error("swap: expected none or byte, because the value has one register"));
  in.number("scale", scaling.scale, -1e12, 1e12);
  in.number("offset", scaling.offset, -1e12, 1e12);
  read_optional(in, "precision", scaling.decimals, 0, 9);
  read_optional(in, "min_value", scaling.minimum);
  read_optional(in, "max_value", scaling.maximum);
  read_optional(in, "zero_suppress", scaling.zero_suppress);
  read_optional(in, "nan_value", scaling.nan_value);
}

Verify read_verify(base::ConfigReader& in, const SwitchOptions& of) {
  Verify verify{.table = of.table, .address = of.common.address, .on = of.on, .off = of.off};
  read_whole(in, "address", verify.address, 0, 65'535);
  read_table(in, "input_type", verify.table);
  read_whole(in, "state_on", verify.on, 0, 65'535);
  read_whole(in, "state_off", verify.off, 0, 65'535);
  read_seconds(in, "delay", verify.delay, 60);
  return verify;
}

void read_modes(base::ConfigReader& in, ClimateOptions& climate) {
  constexpr std::pair<std::string_view, std::string_view> kModes[] = {
      {"state_off", "off"},   {"state_heat", "heat"}, {"state_cool", "cool"},        {"state_heat_cool", "heat_cool"},
      {"state_auto", "auto"}, {"state_dry", "dry"},   {"state_fan_only", "fan_only"}};
  std::optional<std::int64_t> address;
  read_whole_number(in, "address", address, 0, 65'535);
  if (!address) in.report(in.node(), in.node().error("address: missing; expected 0 to 65535"));
  climate.mode_address = static_cast<std::uint16_t>(address.value_or(0));
  in.boolean("write_registers", climate.mode_as_list);
  base::ConfigReader& values = in.section("values");
  for (const auto& [key, mode] : kModes) {
    std::vector<std::int64_t> numbers;
    values.parsed_list(key, numbers, "a number from 0 to 65535, or a list of them",
                       [](std::string_view text) -> std::optional<std::int64_t> {
                         const auto number = parse_whole(text);
                         return number && *number >= 0 && *number <= 65'535 ? number : std::nullopt;
                       });
    for (const std::int64_t number : numbers)
      climate.modes.emplace_back(std::string(mode), static_cast<std::uint16_t>(number));
  }
  if (climate.modes.empty()) in.report(in.node(), in.node().error("values: expected at least one, such as state_heat"));
}

}  // namespace

SensorOptions read_sensor(base::ConfigReader& in) {
  SensorOptions sensor;
  sensor.common = read_common(in);
  in.option("input_type", sensor.table, {{"holding", Table::holding}, {"input", Table::input}});
  read_layout(in, sensor.layout, "int16");
  read_numbers(in, sensor.layout, sensor.swap, sensor.scaling);
  in.text("unit_of_measurement", sensor.unit_of_measurement);
  in.option("state_class", sensor.state_class,
            {{"measurement", "measurement"},
             {"measurement_angle", "measurement_angle"},
             {"total", "total"},
             {"total_increasing", "total_increasing"}});
  read_virtual(in, sensor.virtual_count);
  const std::size_t words = sensor.layout.registers() * static_cast<std::size_t>(sensor.virtual_count + 1);
  check_end(in, sensor.common, words);
  return sensor;
}

BinarySensorOptions read_binary_sensor(base::ConfigReader& in) {
  BinarySensorOptions sensor;
  sensor.common = read_common(in);
  read_table(in, "input_type", sensor.table);
  read_virtual(in, sensor.virtual_count);
  check_end(in, sensor.common, static_cast<std::size_t>(sensor.virtual_count) + 1);
  return sensor;
}

SwitchOptions read_switch(base::ConfigReader& in) {
  SwitchOptions made;
  made.common = read_common(in);
  enum class Write { holding, coil, holdings, coils } write = Write::holding;
  in.option(
      "write_type", write,
      {{"holding", Write::holding}, {"coil", Write::coil}, {"holdings", Write::holdings}, {"coils", Write::coils}});
  made.table = write == Write::coil || write == Write::coils ? Table::coil : Table::holding;
  made.as_list = write == Write::holdings || write == Write::coils;
  read_whole(in, "command_on", made.on, 0, 65'535);
  read_whole(in, "command_off", made.off, 0, 65'535);
  const base::ConfigNode* const verify = in.find("verify");
  if (verify) made.verify = read_verify(in.section("verify"), made);
  return made;
}

CoverOptions read_cover(base::ConfigReader& in) {
  CoverOptions cover;
  cover.common = read_common(in);
  in.option("input_type", cover.table, {{"holding", Table::holding}, {"coil", Table::coil}});
  cover.status_table = cover.table;
  cover.status_address = cover.common.address;
  if (in.find("status_register")) {
    cover.status_table = Table::holding;
    read_whole(in, "status_register", cover.status_address, 0, 65'535);
  }
  in.option("status_register_type", cover.status_table, {{"holding", Table::holding}, {"input", Table::input}});
  read_whole(in, "state_open", cover.open, 0, 65'535);
  read_whole(in, "state_opening", cover.opening, 0, 65'535);
  read_whole(in, "state_closed", cover.closed, 0, 65'535);
  read_whole(in, "state_closing", cover.closing, 0, 65'535);
  return cover;
}

ClimateOptions read_climate(base::ConfigReader& in) {
  ClimateOptions climate;
  climate.common = read_common(in);
  in.option("input_type", climate.table, {{"holding", Table::holding}, {"input", Table::input}});
  read_layout(in, climate.layout, "float32");
  climate.scaling.decimals = 1;
  read_numbers(in, climate.layout, climate.swap, climate.scaling);
  const auto report = [&](std::string_view what) { in.report(in.node(), in.node().error(what)); };
  if (climate.layout.parts.size() != 1 || climate.layout.is_text()) report("data_type: expected one number");
  if (climate.scaling.scale == 0) report("scale: expected a number other than 0");
  if (!in.find("target_temp_register")) report("target_temp_register: missing; expected 0 to 65535");
  read_whole(in, "target_temp_register", climate.target_address, 0, 65'535);
  in.boolean("target_temp_write_registers", climate.target_as_list);
  in.boolean("write_registers", climate.target_as_list);
  in.number("min_temp", climate.min_temperature, -273, 1'000);
  in.number("max_temp", climate.max_temperature, -273, 1'000);
  in.number("temp_step", climate.step, 0.01, 100);
  in.option("temperature_unit", climate.fahrenheit, {{"C", false}, {"F", true}, {"°C", false}, {"°F", true}});
  const std::size_t words = climate.layout.registers();
  check_end(in, climate.common, words);
  if (climate.target_address + words > 65'536) report("target_temp_register: the value is beyond the last, 65535");
  if (in.find("hvac_mode_register")) read_modes(in.section("hvac_mode_register"), climate);
  std::optional<std::int64_t> onoff;
  read_whole_number(in, "hvac_onoff_register", onoff, 0, 65'535);
  if (onoff) climate.onoff_address = static_cast<std::uint16_t>(*onoff);
  read_whole(in, "hvac_on_value", climate.on_value, 0, 65'535);
  read_whole(in, "hvac_off_value", climate.off_value, 0, 65'535);
  climate.onoff_as_list = climate.target_as_list;
  return climate;
}

}  // namespace hearth::integrations::modbus
