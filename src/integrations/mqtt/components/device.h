// SPDX-License-Identifier: Apache-2.0
// The device block of a discovery message. Any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "core/registry/registry_data.h"

namespace hearth::integrations::mqtt {

// A key that was left out, and why.
struct DroppedKey {
  std::string key, reason;
};

struct DeviceDescription {
  core::Device device;  // without ids of the registry
  std::string via_device = {}, suggested_area = {};
};

// `block` has long key names. Wrong optional keys are dropped; null, with a reason, if it names no identifier and no
// connection.
std::optional<DeviceDescription> parse_device(const json::value& block, std::vector<DroppedKey>& dropped);

// The text of a value that devices send as text or as a number; null for others.
std::optional<std::string> scalar_text(const json::value& value);

}  // namespace hearth::integrations::mqtt
