// SPDX-License-Identifier: Apache-2.0
#include "integrations/modbus/entities/sensors.h"

#include <utility>

namespace hearth::integrations::modbus {

void ReadEntity::read(Poller& poller, const CommonOptions& options, Table table, std::size_t width, Show show) {
  width_ = width;
  show_ = std::move(show);
  const std::size_t count = width * things_.size();
  const std::size_t most = is_bits(table) ? kMaxReadBits : kMaxReadRegisters;
  if (count == 0 || count > most) return;
  poller.add(
      {.unit = options.unit,
       .table = table,
       .address = options.address,
       .count = static_cast<std::uint16_t>(count),
       .interval = options.scan_interval,
       .got = [this](std::span<const std::uint16_t> values, const RequestFailure* failure) { got(values, failure); }});
}

void ReadEntity::got(std::span<const std::uint16_t> values, const RequestFailure* failure) {
  if (failure) {
    // Of a lost connection the hub speaks, after its grace.
    using enum RequestFailure::Kind;
    if (failure->kind == no_link || failure->kind == not_now) return;
    if (things_.front()) trouble_.say(things_.front()->entity_id(), *failure);
    return set_available(false);
  }
  trouble_.over();
  for (std::size_t part = 0; part < things_.size(); ++part)
    if (things_[part]) show_(part, values.subspan(part * width_, width_));
  set_available(true);
}

void ReadEntity::set_available(bool available) {
  for (domains::Thing* const thing : things_)
    if (thing && thing->available() != available) thing->set_available(available);
}

void ReadEntity::set_connected(bool connected) {
  if (!connected) set_available(false);
}

SensorEntity::SensorEntity(HubHome& home, Poller& poller, const SensorOptions& options) {
  domains::Abilities can;
  if (!options.state_class.empty()) can.attributes["state_class"] = options.state_class;
  if (!options.unit_of_measurement.empty()) can.attributes["unit_of_measurement"] = options.unit_of_measurement;
  for (std::int64_t part = 0; part <= options.virtual_count; ++part)
    things_.push_back(home.add(domains::kSensor, options.common, part, can));
  read(poller, options.common, options.table, options.layout.registers(),
       [this, layout = options.layout, swap = options.swap, scaling = options.scaling](
           std::size_t part, std::span<const std::uint16_t> values) {
         things_[part]->report({.value = decode(values, layout, swap, scaling)});
       });
}

BinarySensorEntity::BinarySensorEntity(HubHome& home, Poller& poller, const BinarySensorOptions& options) {
  for (std::int64_t part = 0; part <= options.virtual_count; ++part)
    things_.push_back(home.add(domains::kBinarySensor, options.common, part, {}));
  // The lowest bit of a register counts.
  read(poller, options.common, options.table, 1, [this](std::size_t part, std::span<const std::uint16_t> values) {
    things_[part]->report({.value = (values.front() & 1U) != 0});
  });
}

}  // namespace hearth::integrations::modbus
