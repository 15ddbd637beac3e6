// SPDX-License-Identifier: Apache-2.0
#include "app/sections/metrics_section.h"

#include "app/sections/filter_section.h"

namespace hearth::app {
namespace {

constexpr RuleKeys kIncludes{"include_entities", "include_domains", "include_entity_globs"};
constexpr RuleKeys kExcludes{"exclude_entities", "exclude_domains", "exclude_entity_globs"};

std::optional<std::string> parse_prefix(std::string_view text) {
  const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
  if (!std::ranges::all_of(text, fits) || (!text.empty() && text.front() >= '0' && text.front() <= '9')) return {};
  return std::string(text);
}

}  // namespace

void read_metrics(base::ConfigReader& in, const core::Limits& limits, api::EntityMetrics& metrics) {
  in.parsed("namespace", metrics.prefix, "a name of small letters, digits and underscores", parse_prefix);
  core::EntityFilter& wanted = metrics.entities;
  if (const base::ConfigNode* const filter = in.find("filter")) {
    base::ConfigReader& keys = in.section("filter");
    read_filter_rule(keys, filter, limits, wanted.include, kIncludes);
    read_filter_rule(keys, filter, limits, wanted.exclude, kExcludes);
  }
  if (in.find("entities")) {
    base::ConfigReader& rules = in.section("entities");
    read_filter_rule(rules.section("include"), rules.find("include"), limits, wanted.include);
    read_filter_rule(rules.section("exclude"), rules.find("exclude"), limits, wanted.exclude);
  }
}

}  // namespace hearth::app
