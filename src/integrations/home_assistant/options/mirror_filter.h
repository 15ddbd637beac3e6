// SPDX-License-Identifier: Apache-2.0
// Selects the entities of the hub there that are mirrored, by `include` and `exclude` of the section. The more specific
// rule wins: entity, glob, device, area or label, integration, domain; include over exclude if both are equal.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/values/glob.h"

namespace hearth::integrations::home_assistant {

struct MirrorFilter {
  // Ids and names are those there.
  struct Rule {
    std::set<std::string, std::less<>> entities = {}, domains = {}, areas = {}, labels = {}, devices = {},
                                       integrations = {};
    std::vector<core::Glob> globs = {};

    bool empty() const;
  };
  // An entity there, as far as the rules ask.
  struct Subject {
    std::string_view entity_id;
    std::string_view device_id = {}, area_id = {}, platform = {};  // empty if it has none
    const std::vector<std::string>* labels = nullptr;              // its own and its device's
  };

  Rule include, exclude;

  bool includes(const Subject& subject) const;
  // True if `include` names the domain, which brings domains that are left out by default.
  bool asks_for_domain(std::string_view domain) const { return include.domains.contains(domain); }
};

}  // namespace hearth::integrations::home_assistant
