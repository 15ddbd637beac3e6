// SPDX-License-Identifier: Apache-2.0
// Two YAML files of the same name as one: the file here stays, byte for byte, and items that only the other one has
// follow. Any thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace hearth::import_ha {

struct MergedYaml {
  struct Collision {
    std::string name;     // "1700000000001", "input_boolean.guests"
    std::size_t line;     // in the other file, from 1
    bool of_hub = false;  // a setting of the hub, which the home that is here has for itself
  };
  std::string text;
  std::vector<std::string> added;  // names; empty ones of items that have none
  // Items that both have, and not alike, or that only the home here may say: those here count.
  std::vector<Collision> collisions;
};

// Of items by their ids or names: lists whose items have `id` or `unique_id`, otherwise `alias` or `name`, or maps.
// `file` is for messages. Null if they are no two lists or two maps that stand in lines of their own, or if the result
// would not mean what each meant.
std::optional<MergedYaml> merge_items(const std::string& here, const std::string& theirs, const std::string& file);

// Of sections, as in configuration.yaml or a package; `makes_things` says of a key that its section makes entities or
// services, and is no setting of the hub; of `home` packages and customizations come, too. A section that cannot be
// joined with its namesake comes with a label, as `automation imported`.
std::optional<MergedYaml> merge_sections(const std::string& here, const std::string& theirs, const std::string& file,
                                         const std::function<bool(const std::string& key)>& makes_things);

}  // namespace hearth::import_ha
