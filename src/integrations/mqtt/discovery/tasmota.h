// SPDX-License-Identifier: Apache-2.0
// Translates Tasmota's own discovery, tasmota/discovery/<MAC>/config and /sensors, into the components that all other
// devices use. Any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/json/json.h"
#include "base/result.h"
#include "integrations/mqtt/discovery/message.h"

namespace hearth::integrations::mqtt {

constexpr std::string_view kTasmotaPrefix = "tasmota/discovery/";

struct TasmotaTopic {
  std::string mac;  // twelve hexadecimal digits
  bool sensors;     // or config

  std::string config_topic() const { return std::string(kTasmotaPrefix) + mac + "/config"; }
  std::string sensors_topic() const { return std::string(kTasmotaPrefix) + mac + "/sensors"; }
};

// Null if it is not one.
std::optional<TasmotaTopic> parse_tasmota_topic(std::string_view topic);

// Relays, lights, shutters, buttons and switches. Fails with invalid if nothing of it can be used.
base::Result<DiscoveryMessage> parse_tasmota_config(std::string_view mac, std::string_view payload);
// Sensors. `config`: the device's other message.
base::Result<DiscoveryMessage> parse_tasmota_sensors(std::string_view mac, std::string_view payload,
                                                     std::string_view config);

}  // namespace hearth::integrations::mqtt
