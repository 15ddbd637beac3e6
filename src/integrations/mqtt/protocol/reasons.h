// SPDX-License-Identifier: Apache-2.0
// Texts for the reasons that brokers give. Any thread.
#pragma once

#include <cstdint>
#include <string>

#include "integrations/mqtt/protocol/options.h"

namespace hearth::integrations::mqtt {

// Of an answer that refuses the connection, by MQTT 5 §3.2.2.2 or 3.1.1 §3.2.2.3.
std::string refusal_of(std::uint8_t code, Protocol protocol);
// A reason code of MQTT 5 (§2.4).
std::string reason_of(std::uint8_t code);

}  // namespace hearth::integrations::mqtt
