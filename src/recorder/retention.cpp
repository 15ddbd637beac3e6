// SPDX-License-Identifier: Apache-2.0
#include "recorder/retention.h"

namespace hearth::recorder {
namespace {

using Rule = core::EntityFilter::Rule;

// The filter of one rule: it matches what the rule includes.
bool includes(Rule rule, std::string_view entity_id) {
  if (rule.empty()) return false;
  core::EntityFilter filter;
  filter.include = std::move(rule);
  return filter.matches(entity_id);
}

}  // namespace

bool names(const Rule& rule, std::string_view entity_id) {
  return includes(rule, entity_id);
}

base::Duration Retention::of(std::string_view entity_id) const {
  if (!filter.matches(entity_id)) return kNever;
  for (const auto narrow : {&Rule::entity_ids, &Rule::globs, &Rule::domains}) {
    for (const Class& each : classes) {
      Rule rule;
      rule.*narrow = each.entities.*narrow;
      if (includes(std::move(rule), entity_id)) return each.keep;
    }
  }
  return keep;
}

}  // namespace hearth::recorder
