// SPDX-License-Identifier: Apache-2.0
// Thermostats of nodes as the home has them: modes by name, degrees Celsius. Any thread.
#pragma once

#include "domains/climate/climate.h"
#include "integrations/esphome/protocol/messages.h"

namespace hearth::integrations::esphome {

domains::ClimateCapabilities climate_capabilities(const proto::ListClimate& list);
// Null if its mode is none that the hub knows.
std::optional<domains::ClimateState> climate_state(const proto::ListClimate& list, const proto::ClimateState& state);
proto::ClimateCommand climate_command(const proto::ListClimate& list, const domains::ClimateCommand& command);

}  // namespace hearth::integrations::esphome
