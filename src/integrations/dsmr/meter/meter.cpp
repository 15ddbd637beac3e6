// SPDX-License-Identifier: Apache-2.0
#include "integrations/dsmr/meter/meter.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/log/log.h"
#include "base/text/number.h"
#include "core/values/units.h"

namespace hearth::integrations::dsmr {
namespace {

constexpr std::size_t kMaxSerial = 64;

bool is_letter(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

std::string plain(std::string_view text) {
  std::string made;
  for (const char c : text.substr(0, kMaxSerial)) made += is_letter(c) || c == '-' ? c : '_';
  const bool has_any = std::ranges::any_of(made, is_letter);
  return has_any ? made : std::string();
}

std::optional<int> type_of(const Telegram& telegram, int channel) {
  const auto value = telegram.value(fmt::format("0-{}:24.1.0", channel));
  return value ? base::parse_integer<int>(*value) : std::nullopt;
}

// The Dutch say 1 for low, the Belgians 2.
json::value tariff_of(const Telegram& telegram, std::string_view value) {
  const auto number = base::parse_integer<int>(value);
  if (!number || (*number != 1 && *number != 2)) return nullptr;
  const bool is_belgian = telegram.find("0-0:96.1.4") != nullptr;
  return (*number == 1) != is_belgian ? "low" : "normal";
}

domains::Abilities abilities_of(const Quantity& quantity) {
  domains::Abilities can;
  if (!quantity.state_class.empty()) can.attributes["state_class"] = quantity.state_class;
  if (!quantity.unit.empty()) can.attributes["unit_of_measurement"] = quantity.unit;
  if (quantity.kind == Quantity::Kind::tariff) can.attributes["options"] = json::array{"low", "normal"};
  return can;
}

// The last state, in the unit in which the meter reports.
domains::Report last_report(const core::State& last, const Quantity& quantity) {
  domains::Report report = domains::restored(domains::kSensor, {}, last);
  const json::object attributes = last.attributes();
  const json::value* const shown = attributes.if_contains("unit_of_measurement");
  if (!report.value || !shown || !shown->is_string() || shown->get_string() == quantity.unit) return report;
  const auto converted = core::convert_unit_of(last.value(), shown->get_string(), quantity.unit);
  report.value = converted ? domains::OptionalValue(*converted) : domains::OptionalValue();
  return report;
}

std::string lower_words(std::string_view name) {
  std::string made;
  for (const char c : name) {
    if (is_letter(c))
      made += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    else if (!made.empty() && made.back() != '_')
      made += '_';
  }
  while (made.ends_with('_')) made.pop_back();
  return made;
}

}  // namespace

std::string serial_of(const Telegram& telegram) {
  for (const std::string_view id : {"0-0:96.1.1", "0-0:96.1.0", "0-0:42.0.0"}) {
    const auto value = telegram.value(id);
    if (std::string serial = value ? plain(*value) : ""; !serial.empty()) return serial;
  }
  return plain(telegram.header());
}

std::string readable_serial(std::string_view serial) {
  std::string text;
  for (std::size_t at = 0; at + 1 < serial.size(); at += 2) {
    unsigned char letter = 0;
    const auto [end, status] = std::from_chars(serial.data() + at, serial.data() + at + 2, letter, 16);
    if (status != std::errc() || end != serial.data() + at + 2 || !is_letter(static_cast<char>(letter)))
      return std::string(serial);
    text += static_cast<char>(letter);
  }
  return serial.size() % 2 == 0 && !text.empty() ? text : std::string(serial);
}

Meter::Meter(const domains::IntegrationHome& home, std::string serial) : home_(home), serial_(std::move(serial)) {}

void Meter::restore() {
  const auto registry = home_.hub.registry.snapshot();
  for (const auto& [id, entity] : registry->entities) {
    if (entity.integration != "dsmr" || entity.entry_id != home_.connection->entry_id || !entity.device_id) continue;
    const Quantity* const quantity = quantity_of_unique_id(entity.unique_id);
    const core::Device* const device = registry->devices.find(*entity.device_id);
    if (!quantity || !device) continue;
    const auto last = home_.hub.states.find(entity.entity_id);
    add(entity.unique_id, device->id, *quantity, last.get());
  }
}

base::Result<void> Meter::take(const Telegram& telegram) {
  const std::string serial = serial_of(telegram);
  if (serial.empty()) return base::fail(base::ErrorCode::invalid, "The telegram does not name its meter.");
  if (serial_.empty()) {
    const auto registry = home_.hub.registry.snapshot();
    const core::Device* const known = registry->devices.find(device_id(serial));
    const auto all = home_.hub.integrations.load();
    const bool taken =
        known && std::ranges::any_of(*all, [&](const core::IntegrationStatus& status) {
          return status.connection->entry_id == known->entry_id && known->entry_id != home_.connection->entry_id;
        });
    if (taken)
      return base::fail(base::ErrorCode::conflict,
                        fmt::format("The meter {} has a connection already.", readable_serial(serial)));
    serial_ = serial;
  }
  if (serial != serial_) {
    return base::fail(base::ErrorCode::conflict, fmt::format("It is now another meter: {}. Expected {}.",
                                                             readable_serial(serial), readable_serial(serial_)));
  }
  if (!devices_.contains(serial_)) put_device(serial_, "Electricity meter", telegram.header(), true);
  for (const Quantity& quantity : electricity_quantities()) {
    const ObisObject* const object = telegram.find(quantity.obis);
    if (!object || object->values.empty()) continue;
    if (quantity.kind == Quantity::Kind::tariff) {
      report(serial_, quantity, tariff_of(telegram, object->values.front()));
      continue;
    }
    // Some say first since when.
    const auto number = number_of(object->values.back(), quantity.unit);
    report(serial_, quantity, number ? json::value(*number) : json::value());
  }
  for (int channel = 1; channel <= kMbusChannels; ++channel) take_mbus(telegram, channel);
  return {};
}

void Meter::take_mbus(const Telegram& telegram, int channel) {
  const auto type = type_of(telegram, channel);
  const Quantity* const quantity = type ? mbus_quantity(*type) : nullptr;
  const auto number = quantity ? mbus_reading(telegram, channel, quantity->unit) : std::nullopt;
  if (!number) return;
  if (!mbus_.contains(channel)) {
    std::string serial;
    // 96.1.1 and 96.1.2: in Belgium.
    for (const std::string_view part : {"96.1.0", "96.1.1", "96.1.2"}) {
      const auto value = telegram.value(fmt::format("0-{}:{}", channel, part));
      if (serial.empty() && value) serial = plain(*value);
    }
    const bool known =
        serial == serial_ || std::ranges::any_of(mbus_, [&](const auto& each) { return each.second == serial; });
    mbus_[channel] = serial.empty() || known ? fmt::format("{}_{}", serial_, channel) : serial;
    put_device(mbus_[channel], mbus_device_name(*type), {}, false);
  }
  report(mbus_[channel], *quantity, *number);
}

void Meter::put_device(const std::string& serial, std::string_view name, std::string_view model, bool is_main) {
  core::Device device{.id = device_id(serial), .integration = "dsmr", .entry_id = home_.connection->entry_id};
  device.name = std::string(name);
  if (!model.empty()) device.model = std::string(model.substr(0, kMaxSerial));
  device.serial_number = readable_serial(serial);
  device.identifiers = {{"dsmr", serial}};
  if (!is_main) device.via_device_id = device_id(serial_);
  const auto registry = home_.hub.registry.snapshot();
  if (const core::Device* const known = registry->devices.find(device.id)) {
    device.name_by_user = known->name_by_user;
    device.area_id = known->area_id;
    device.labels = known->labels;
    device.disabled_by = known->disabled_by;
    device.created_at = known->created_at;
    device.modified_at = known->modified_at;
    if (*known != device) home_.hub.registry.put_device(std::move(device));
  } else {
    home_.hub.registry.put_device(std::move(device));
  }
  devices_.insert(serial);
}

void Meter::report(const std::string& serial, const Quantity& quantity, json::value value) {
  const std::string unique_id = fmt::format("{}_{}", serial, quantity.key);
  const auto known = sensors_.find(unique_id);
  Sensor* const sensor = known != sensors_.end() ? &known->second : add(unique_id, device_id(serial), quantity);
  if (!sensor || sensor->reported == value) return;
  sensor->reported = value;
  if (std::exchange(sensor->missing, false)) sensor->thing->set_available(available_);
  sensor->thing->report({.value = std::move(value)});
}

Meter::Sensor* Meter::add(const std::string& unique_id, const std::string& device_id, const Quantity& quantity,
                          const core::State* last) {
  const auto registry = home_.hub.registry.snapshot();
  const core::Device* const device = registry->devices.find(device_id);
  domains::EntityInfo info{.integration = "dsmr", .unique_id = unique_id, .object_id = {}, .name = {}};
  info.name = quantity.name;
  info.object_id = lower_words(fmt::format("{} {}", device ? device->name.value_or("") : "", quantity.name));
  info.device_class = quantity.device_class;
  info.device_id = device_id;
  info.has_entity_name = true;
  info.entity_category = quantity.rare ? "diagnostic" : "";
  info.disabled = quantity.rare;
  info.available = available_;
  info.entry_id = home_.connection->entry_id;
  auto thing = std::make_unique<domains::Thing>(domains::kSensor, std::move(info), abilities_of(quantity));
  if (last) thing->report(last_report(*last, quantity));
  auto added = home_.domains.entities().add(std::move(thing));
  if (!added) {
    if (!std::exchange(refused_, true)) base::log_warning("dsmr", "{}: {}", unique_id, added.error().message);
    return nullptr;
  }
  return &sensors_.emplace(unique_id, Sensor{.thing = *added}).first->second;
}

void Meter::set_available(bool available) {
  if (std::exchange(available_, available) == available) return;
  for (auto& [unique_id, sensor] : sensors_) sensor.thing->set_available(available && !sensor.missing);
}

void Meter::forget_missing() {
  for (auto& [unique_id, sensor] : sensors_) {
    if (sensor.reported || std::exchange(sensor.missing, true)) continue;
    sensor.thing->set_available(false);
  }
}

}  // namespace hearth::integrations::dsmr
