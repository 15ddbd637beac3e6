// SPDX-License-Identifier: Apache-2.0
#include "core/entity_filter.h"

#include <fnmatch.h>

#include <algorithm>

namespace hearth::core {
namespace {

bool contains(const std::vector<std::string>& texts, std::string_view text) {
  return std::ranges::find(texts, text) != texts.end();
}

}  // namespace

bool EntityFilter::Rule::names_id(std::string_view entity_id) const {
  return contains(entity_ids, entity_id);
}

bool EntityFilter::Rule::names_by_glob(std::string_view entity_id) const {
  if (globs.empty()) return false;
  const std::string id(entity_id);
  return std::ranges::any_of(globs, [&](const std::string& glob) { return fnmatch(glob.c_str(), id.c_str(), 0) == 0; });
}

bool EntityFilter::Rule::names_domain_of(std::string_view entity_id) const {
  return contains(domains, entity_id.substr(0, entity_id.find('.')));
}

bool EntityFilter::Rule::names(std::string_view entity_id) const {
  return names_id(entity_id) || names_by_glob(entity_id) || names_domain_of(entity_id);
}

bool EntityFilter::matches(std::string_view entity_id) const {
  if (all()) return true;
  for (const auto names : {&Rule::names_id, &Rule::names_by_glob, &Rule::names_domain_of}) {
    if ((include.*names)(entity_id)) return true;
    if ((exclude.*names)(entity_id)) return false;
  }
  return include.empty();
}

}  // namespace hearth::core
