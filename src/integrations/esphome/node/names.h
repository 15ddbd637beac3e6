// SPDX-License-Identifier: Apache-2.0
// Names and ids of nodes and their entities. Any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "integrations/esphome/entities/node_entity.h"

namespace hearth::integrations::esphome {

// 01:23:45:67:89:ab, of 12 hexadecimal digits with or without colons; null if it is none.
std::optional<std::string> normal_mac(std::string_view text);
// The object id of a name as nodes make it: lower case, a–z, 0–9, _ and -, each other letter as _.
std::string object_id_of(std::string_view name);
// Letters that entity ids and services have: - becomes _, and what is left of ends and pairs of _ is one.
std::string slug_of(std::string_view text);
// 01:23:45:67:89:AB-switch-relay, and @<device id> for entities of sub-devices.
std::string unique_id_of(std::string_view mac, std::string_view component, std::string_view object_id,
                         std::uint32_t device_id);

}  // namespace hearth::integrations::esphome
