// SPDX-License-Identifier: Apache-2.0
// Stores the discovery messages in the home's registry, so that a restart needs no broker. Bus thread only.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/hub.h"

namespace hearth::integrations::mqtt {

struct StoredMessage {
  std::string topic, payload;
  bool retained = false;  // the broker keeps it, too
};

class DiscoveryStore {
 public:
  explicit DiscoveryStore(core::Hub& hub) : hub_(hub) {}

  // Adds or replaces the message of its topic. Fails with invalid beyond the bounds of a collection.
  base::Result<void> put(const StoredMessage& message);
  void remove(const std::string& topic);
  // Null if absent.
  std::optional<StoredMessage> find(std::string_view topic) const;
  // In the order in which they first came.
  std::vector<StoredMessage> all() const;

 private:
  core::Hub& hub_;
};

}  // namespace hearth::integrations::mqtt
