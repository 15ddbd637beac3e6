// SPDX-License-Identifier: Apache-2.0
// The table of what meters measure: which object becomes which sensor. Any thread.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "integrations/dsmr/protocol/telegram.h"

namespace hearth::integrations::dsmr {

struct Quantity {
  enum class Kind { number, tariff };

  std::string_view key;   // of the unique id
  std::string_view obis;  // of the object; of a meter on the M-Bus: its device type
  std::string_view name;
  std::string_view unit = {};  // empty: none
  std::string_view device_class = {}, state_class = {};
  Kind kind = Kind::number;
  bool rare = false;  // a diagnostic entity, disabled at first
};

// Of the electricity meter itself.
std::span<const Quantity> electricity_quantities();
// Of a meter on the M-Bus with this device type (EN 13757-3); null: the type is not known.
const Quantity* mbus_quantity(int device_type);
// "Gas meter"; empty if the type is not known.
std::string_view mbus_device_name(int device_type);
// The quantity of an entity's unique id, `<serial number>_<key>`; null if it is none.
const Quantity* quantity_of_unique_id(std::string_view unique_id);

// The number of a value such as `001581.123*kWh`, in the unit; `unit_apart` if the value has none of its own. Null if
// it is no number, or the units do not fit.
std::optional<double> number_of(std::string_view value, std::string_view unit, std::string_view unit_apart = {});
// The reading of the meter on this channel, the last of the object's values.
std::optional<double> mbus_reading(const Telegram& telegram, int channel, std::string_view unit);

}  // namespace hearth::integrations::dsmr
