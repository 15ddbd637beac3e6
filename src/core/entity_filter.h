// SPDX-License-Identifier: Apache-2.0
// Which entities are wanted: by id, by domain, by glob (`sensor.kitchen_*`). Any thread.
//
// The narrower rule wins: an id over a glob, a glob over a domain; of two as narrow the one that includes. An entity
// that no rule names is wanted where nothing is included by name. Asking costs a search in sorted lists, and one step
// for each glob and character of the id.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "core/glob.h"
#include "core/limits.h"

namespace hearth::core {

struct EntityFilter {
  class Rule {
   public:
    Rule() = default;
    // REQUIRES: globs of at most Glob::kMaxLength. Lists are sorted and made unique.
    Rule(std::vector<std::string> entity_ids, std::vector<std::string> domains, std::vector<std::string> globs);
    // The same within the limits. Fails with invalid: the message names the limit.
    static base::Result<Rule> create(std::vector<std::string> entity_ids, std::vector<std::string> domains,
                                     std::vector<std::string> globs, const Limits& limits);

    bool empty() const { return entity_ids_.empty() && domains_.empty() && globs_.empty(); }
    bool names_id(std::string_view entity_id) const;
    bool names_by_glob(std::string_view entity_id) const;
    bool names_domain_of(std::string_view entity_id) const;
    // One of the three.
    bool names(std::string_view entity_id) const;
    // About what it takes in memory.
    std::size_t weight() const;

   private:
    std::vector<std::string> entity_ids_;
    std::vector<std::string> domains_;
    std::vector<Glob> globs_;
  };

  Rule include;
  Rule exclude;

  bool all() const { return include.empty() && exclude.empty(); }
  bool matches(std::string_view entity_id) const;
};

// Sorted, each once.
void make_unique(std::vector<std::string>& texts);
// The same in the order that they have: of each text the first stays.
void make_unique_in_order(std::vector<std::string>& texts);
// As the latter; fails with invalid where more are left than the limits allow. `what` begins the message.
base::Result<void> bound_list(std::vector<std::string>& texts, std::string_view what, const Limits& limits);

}  // namespace hearth::core
