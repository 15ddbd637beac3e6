// SPDX-License-Identifier: Apache-2.0
#include "recorder/log/retention.h"

namespace hearth::recorder {

base::Duration Retention::of(std::string_view entity_id) const {
  if (elsewhere && elsewhere(entity_id)) return kNever;
  using Rule = core::EntityFilter::Rule;
  if (!filter.matches(entity_id)) return kNever;
  for (const auto names : {&Rule::names_id, &Rule::names_by_glob, &Rule::names_domain_of}) {
    for (const Class& each : classes) {
      if ((each.entities.*names)(entity_id)) return each.keep;
    }
  }
  return keep;
}

}  // namespace hearth::recorder
