// SPDX-License-Identifier: Apache-2.0
#include "core/entity_filter.h"

#include <fnmatch.h>

#include <algorithm>

namespace hearth::core {
namespace {

bool any_glob(const std::vector<std::string>& globs, const std::string& entity_id) {
  return std::ranges::any_of(globs,
                             [&](const std::string& glob) { return fnmatch(glob.c_str(), entity_id.c_str(), 0) == 0; });
}

bool contains(const std::vector<std::string>& texts, std::string_view text) {
  return std::ranges::find(texts, text) != texts.end();
}

}  // namespace

bool EntityFilter::matches(std::string_view entity_id) const {
  if (all()) return true;
  if (contains(include.entity_ids, entity_id)) return true;
  if (contains(exclude.entity_ids, entity_id)) return false;
  const std::string id(entity_id);
  if (any_glob(include.globs, id)) return true;
  if (any_glob(exclude.globs, id)) return false;
  const std::string_view domain = entity_id.substr(0, entity_id.find('.'));
  if (contains(include.domains, domain)) return true;
  if (contains(exclude.domains, domain)) return false;
  return include.empty();
}

}  // namespace hearth::core
