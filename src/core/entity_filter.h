// SPDX-License-Identifier: Apache-2.0
// Which entities are wanted: by id, by domain, by glob (`sensor.kitchen_*`). Any thread.
//
// The narrower rule wins: an id over a glob, a glob over a domain; of two as narrow the one that includes. An entity
// that no rule names is wanted where nothing is included by name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hearth::core {

struct EntityFilter {
  struct Rule {
    std::vector<std::string> entity_ids;
    std::vector<std::string> domains;
    std::vector<std::string> globs;  // * ? [set], as fnmatch(3) has them

    bool empty() const { return entity_ids.empty() && domains.empty() && globs.empty(); }
    bool names_id(std::string_view entity_id) const;
    bool names_by_glob(std::string_view entity_id) const;
    bool names_domain_of(std::string_view entity_id) const;
    // One of the three.
    bool names(std::string_view entity_id) const;
  };

  Rule include;
  Rule exclude;

  bool all() const { return include.empty() && exclude.empty(); }
  bool matches(std::string_view entity_id) const;
};

}  // namespace hearth::core
