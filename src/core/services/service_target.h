// SPDX-License-Identifier: Apache-2.0
// The target of a service call: entities named by id, or by the device, area, floor or label that they belong to. Any
// thread.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json.h"
#include "base/result.h"
#include "core/registry/registry.h"
#include "core/states/state_table.h"
#include "core/values/limits.h"

namespace hearth::core {

struct ServiceTarget {
  std::vector<std::string> entity_ids;  // lower-cased
  bool all = false;                     // entity_id: all
  std::vector<std::string> device_ids, area_ids, floor_ids, label_ids;
  bool given = false;  // some key was present, even with an empty list

  // Reads the top level of the data and the object `target` in it: each key is a string, a comma-separated list or an
  // array of strings; duplicates count once. Fails with invalid; the message names the key, or the limit of entries.
  static base::Result<ServiceTarget> parse(const json::object& data, const Limits& limits = {});
  std::size_t weight() const;  // about how many bytes it holds
  // `target` and the five keys.
  static bool is_key(std::string_view key);
};

struct ResolvedTarget {
  // Without duplicates, in the order named; existing, available, of a wanted domain. Of a Provider also those that are
  // unavailable, if they are named.
  std::vector<std::string> entity_ids = {};
  std::size_t named = 0;                   // how many of these, the first, are named by entity_id
  std::vector<std::string> left_out = {};  // named but unknown, unavailable or of another domain

  // Removes the other entity ids.
  void keep_if(const std::function<bool(const std::string& entity_id)>& wanted);
  // Removes these and returns them.
  std::vector<std::string> take_if(const std::function<bool(const std::string& entity_id)>& wanted);
};

// True if the members of the group with that entity id are reached.
using Expands = std::function<bool(const std::string& group)>;
// Empty `domains` means any.
ResolvedTarget resolve(const ServiceTarget& target, const std::vector<std::string>& domains, const StateTable& states,
                       const RegistryData& registry, const Expands& expands);

// The entities that the target names in the registry, sorted; a group is one of them. Of devices, areas, floors and
// labels none that is hidden, and none that is for configuration or diagnosis, unless `auxiliary` or labelled itself.
std::vector<std::string> entities_of(const ServiceTarget& target, const RegistryData& registry, bool auxiliary);

}  // namespace hearth::core
