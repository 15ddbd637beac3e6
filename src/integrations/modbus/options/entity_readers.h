// SPDX-License-Identifier: Apache-2.0
// Each reads one entity of a hub; what is wrong is in the reader's problems. One thread, as their reader.
#pragma once

#include "base/config/config_reader.h"
#include "integrations/modbus/options/options.h"

namespace hearth::integrations::modbus {

SensorOptions read_sensor(base::ConfigReader& in);
BinarySensorOptions read_binary_sensor(base::ConfigReader& in);
// Also of lights and fans.
SwitchOptions read_switch(base::ConfigReader& in);
CoverOptions read_cover(base::ConfigReader& in);
ClimateOptions read_climate(base::ConfigReader& in);

}  // namespace hearth::integrations::modbus
