// SPDX-License-Identifier: Apache-2.0
// Reads a discovery message: its description of one or many components, with long key names, base topics filled in, and
// the keys that all components of a device message share. An error in an optional part drops only that part. Any
// thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json.h"
#include "base/result.h"
#include "integrations/mqtt/components/device.h"

namespace hearth::integrations::mqtt {

// <prefix>/<component>/[<node_id>/]<object_id>/config
struct DiscoveryTopic {
  std::string component;  // device: many components in one message
  std::string node_id;    // empty if absent
  std::string object_id;

  bool of_device() const { return component == "device"; }
  std::string id() const { return node_id.empty() ? object_id : node_id + ' ' + object_id; }
};

// Null if it is not one.
std::optional<DiscoveryTopic> parse_discovery_topic(std::string_view prefix, std::string_view topic);

// One component, as far as it is the same for all components.
struct Description {
  std::string component;  // sensor, light and so on
  std::string id;         // together with the component it identifies it, if it has no unique_id
  std::string part;       // its key in a device message; otherwise empty
  json::object keys;      // long names; without device and origin
  std::optional<DeviceDescription> device = {};
  std::vector<DroppedKey> dropped = {};
  std::string refusal = {};  // why it cannot be used; otherwise empty
  bool removed = false;      // a device message takes it away

  // Its weight, with everything that it inherits.
  std::size_t bytes() const;
};

struct DiscoveryMessage {
  bool migrates = false;  // another message takes over what this one described
  std::vector<Description> components = {};
};

// A component as an object describes it, which no message has to be.
Description describe_component(const DiscoveryTopic& topic, const json::object& object);

// Bounds of one message: its bytes, the components of a device, and their bytes with what they inherit.
constexpr std::size_t kMaxMessageBytes = 256 * 1024, kMaxComponents = 1'000, kMaxInherited = 4 * 1024 * 1024;

// REQUIRES: the payload is not empty, which would mean removal. Fails with invalid if nothing of it can be used.
base::Result<DiscoveryMessage> parse_discovery(const DiscoveryTopic& topic, std::string_view payload);

}  // namespace hearth::integrations::mqtt
