// SPDX-License-Identifier: Apache-2.0
// Reads which entities a section includes and excludes: by id, by domain, by pattern.
#pragma once

#include <string_view>

#include "base/config/config_reader.h"
#include "core/values/entity_filter.h"
#include "core/values/limits.h"

namespace hearth::app {

// The keys of a rule; those of the larger hub have a prefix, such as include_.
struct RuleKeys {
  std::string_view entities = "entities";
  std::string_view domains = "domains";
  std::string_view globs = "entity_globs";
};

// `node` is the rule's section, null if absent.
void read_filter_rule(base::ConfigReader& in, const base::ConfigNode* node, const core::Limits& limits,
                      core::EntityFilter::Rule& rule, const RuleKeys& keys = {});

}  // namespace hearth::app
