// SPDX-License-Identifier: Apache-2.0
// Keeps what a node has described in the home's registry, so that its entities are there before it is. Bus thread only.
#pragma once

#include <optional>
#include <string>

#include "core/hub.h"

namespace hearth::integrations::esphome {

class DescriptionStore {
 public:
  DescriptionStore(core::Hub& hub, const std::string& entry_id);

  // Null if nothing is kept.
  std::optional<json::object> load() const;
  // No effect if it is the same. One that is too long is not kept.
  void save(const json::object& description);
  void remove();

 private:
  core::Hub& hub_;
  const std::string collection_;
};

}  // namespace hearth::integrations::esphome
