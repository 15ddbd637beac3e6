// SPDX-License-Identifier: Apache-2.0
// `binary_sensor: - platform: ping`, `switch: - platform: wake_on_lan`, and the service wake_on_lan.send_magic_packet.
#pragma once

#include <string_view>
#include <vector>

#include "building_blocks/polled/plan_reader.h"
#include "core/hub.h"

namespace hearth::building_blocks {

constexpr std::string_view kPing = "ping";
constexpr std::string_view kWakeOnLan = "wake_on_lan";

// Any thread.
void read_ping(const automation::Sections& sections, PlanReader& reader);
void read_wake_on_lan(const automation::Sections& sections, PlanReader& reader);

// While the bus does not run.
std::vector<core::Registration> add_wake_services(core::Hub& hub);

}  // namespace hearth::building_blocks
