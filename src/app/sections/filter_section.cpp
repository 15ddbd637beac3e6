// SPDX-License-Identifier: Apache-2.0
#include "app/sections/filter_section.h"

#include <optional>
#include <string>
#include <vector>

#include "core/values/entity_id.h"

namespace hearth::app {
namespace {

std::optional<std::string> parse_entity(std::string_view text) {
  const auto id = core::EntityId::parse(text);
  if (!id) return {};
  return std::string(id->str());
}

std::optional<std::string> parse_domain(std::string_view text) {
  if (!core::is_slug(text)) return {};
  return std::string(text);
}

std::optional<std::string> parse_glob(std::string_view text) {
  if (text.empty()) return {};
  return std::string(text);
}

}  // namespace

void read_filter_rule(base::ConfigReader& in, const base::ConfigNode* node, const core::Limits& limits,
                      core::EntityFilter::Rule& rule, const RuleKeys& keys) {
  std::vector<std::string> entities, domains, globs;
  in.parsed_list(keys.entities, entities, "an entity such as light.kitchen", parse_entity);
  in.parsed_list(keys.domains, domains, "a domain such as light", parse_domain);
  in.parsed_list(keys.globs, globs, "a pattern such as sensor.kitchen_*", parse_glob);
  auto made = core::EntityFilter::Rule::create(std::move(entities), std::move(domains), std::move(globs), limits);
  if (made)
    rule = std::move(*made);
  else
    in.report(*node, node->error(made.error().message));
}

}  // namespace hearth::app
