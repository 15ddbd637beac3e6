// SPDX-License-Identifier: Apache-2.0
// Colours of nodes' lights. A node numbers its colour modes by what they have: 1 on and off, 2 brightness, 4 white,
// 8 temperature, 16 cold and warm white, 32 red, green and blue. Any thread.
#pragma once

#include "domains/light/light.h"
#include "integrations/esphome/protocol/messages.h"

namespace hearth::integrations::esphome {

domains::LightCapabilities light_capabilities(const proto::ListLight& list);
// Null if its mode is none that the hub knows.
std::optional<domains::LightState> light_state(const proto::ListLight& list, const proto::LightState& state);
// The command that turns the light on. `present`: its colour mode as it said last, 0 if unknown.
proto::LightCommand light_command(const proto::ListLight& list, std::uint32_t present,
                                  const domains::LightCommand& command);
proto::LightCommand light_off_command(const domains::LightOffCommand& command);

}  // namespace hearth::integrations::esphome
