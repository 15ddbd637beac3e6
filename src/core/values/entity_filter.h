// SPDX-License-Identifier: Apache-2.0
// Selects entities by id, by domain, by glob (`sensor.kitchen_*`). Any thread.
//
// The more specific rule wins: id over glob, glob over domain; include over exclude if both are equal. An entity that
// no rule matches is included if there are no include rules. A lookup costs a binary search, and one step for each glob
// and character of the id.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "core/values/glob.h"
#include "core/values/limits.h"

namespace hearth::core {

struct EntityFilter {
  class Rule {
   public:
    Rule() = default;
    // REQUIRES: globs of at most Glob::kMaxLength. Sorts lists and removes duplicates.
    Rule(std::vector<std::string> entity_ids, std::vector<std::string> domains, std::vector<std::string> globs);
    // The same within the limits. Fails with invalid; the message names the limit.
    static base::Result<Rule> create(std::vector<std::string> entity_ids, std::vector<std::string> domains,
                                     std::vector<std::string> globs, const Limits& limits);

    bool empty() const { return entity_ids_.empty() && domains_.empty() && globs_.empty(); }
    bool names_id(std::string_view entity_id) const;
    bool names_by_glob(std::string_view entity_id) const;
    bool names_domain_of(std::string_view entity_id) const;
    // True if one of the three lists matches.
    bool names(std::string_view entity_id) const;
    // About how much memory it takes.
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

// Sorts and removes duplicates.
void make_unique(std::vector<std::string>& texts);
// Removes duplicates and keeps the order of first occurrences.
void make_unique_in_order(std::vector<std::string>& texts);
// As the latter; fails with invalid if more are left than the limits allow. `what` starts the message.
base::Result<void> bound_list(std::vector<std::string>& texts, std::string_view what, const Limits& limits);

}  // namespace hearth::core
