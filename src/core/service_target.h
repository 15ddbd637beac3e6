// SPDX-License-Identifier: Apache-2.0
// Whom a service call is for: entities named one by one or by the device, area, floor or label they belong to. Any
// thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "core/limits.h"
#include "core/registry.h"
#include "core/state_table.h"

namespace hearth::core {

struct ServiceTarget {
  std::vector<std::string> entity_ids;  // lower-cased
  bool all = false;                     // entity_id: all
  std::vector<std::string> device_ids, area_ids, floor_ids, label_ids;
  bool given = false;  // some key was there, were its list empty or not

  // From the top level of the data and from the object `target` in it: each a text, a comma-separated list or an array
  // of texts; what comes twice counts once. Fails with invalid; the message names the key, or the limit of entries.
  static base::Result<ServiceTarget> parse(const json::object& data, const Limits& limits = {});
  std::size_t weight() const;  // about how many bytes it holds
  // `target` and the five keys.
  static bool is_key(std::string_view key);
};

struct ResolvedTarget {
  std::vector<std::string>
      entity_ids;                     // each once, in the order named; known to the hub, available, of a wanted domain
  std::vector<std::string> left_out;  // named but unknown, unavailable or of another domain
};

// `domains` empty: any.
ResolvedTarget resolve(const ServiceTarget& target, const std::vector<std::string>& domains, const StateTable& states,
                       const RegistryData& registry);

}  // namespace hearth::core
