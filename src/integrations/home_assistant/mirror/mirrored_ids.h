// SPDX-License-Identifier: Apache-2.0
// The ids of mirrored entities and devices: which id here has which id there. Ids in attributes, events and the data of
// calls are translated by it. Bus thread only.
#pragma once

#include <string>
#include <string_view>

#include "base/json/json.h"

namespace hearth::integrations::home_assistant {

class MirroredIds {
 public:
  virtual ~MirroredIds() = default;

  // Entities. Empty if it is not mirrored. Valid until the registry of this hub or that one changes.
  virtual std::string_view entity_there(std::string_view entity_id_here) const = 0;
  virtual std::string_view entity_here(std::string_view entity_id_there) const = 0;
  // Devices, likewise.
  virtual std::string_view device_there(std::string_view device_id_here) const = 0;
  virtual std::string_view device_here(std::string_view device_id_there) const = 0;
  // The name of the core::Provider of the mirrored entities: home_assistant.NAME.
  virtual std::string_view provider() const = 0;

  // In all texts of the value that are exactly such an id, also in lists and objects, and in keys; other texts stay.
  json::value to_there(json::value data) const;
  json::value to_here(json::value data) const;
};

}  // namespace hearth::integrations::home_assistant
