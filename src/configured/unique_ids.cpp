// SPDX-License-Identifier: Apache-2.0
#include "configured/unique_ids.h"

#include <fmt/format.h>

namespace hearth::configured {

const std::string* UniqueIds::place_of(std::string_view id) const {
  const auto found = places_.find(id);
  return found == places_.end() ? nullptr : &found->second;
}

std::string UniqueIds::claim(std::string_view prefix, const std::string& id, const std::string& place) {
  std::string free = id;
  for (int next = 2; !places_.emplace(fmt::format("{}{}", prefix, free), place).second; ++next)
    free = fmt::format("{}_{}", id, next);
  return free;
}

std::string UniqueIds::claim(std::string_view prefix, std::string id, const std::string& place,
                             const base::ConfigNode* given, std::string& error) {
  if (const std::string* const known = place_of(fmt::format("{}{}", prefix, id)); known && given) {
    error = given->error(fmt::format("is there twice, also at {}", *known)).message;
    id += " " + place;
  }
  return claim(prefix, id, place);
}

}  // namespace hearth::configured
