// SPDX-License-Identifier: Apache-2.0
#include "import_ha/steps/old_policy.h"

#include <utility>

namespace hearth::import_ha {
namespace {

struct Access {
  bool read = false, control = false;
};

// Null if it cannot be said here.
std::optional<Access> access_of(const json::value& value) {
  if (value == json::value(true)) return Access{true, true};
  const json::object* const object = value.if_object();
  if (!object) return {};
  Access access;
  for (const auto& [key, allowed] : *object) {
    if (allowed != json::value(true)) return {};
    if (key == "read")
      access.read = true;
    else if (key == "control")
      access.control = true;
    else
      return {};
  }
  if (!access.read) return {};
  return access;
}

}  // namespace

std::optional<core::Policy> policy_of(const json::value& policy) {
  core::Policy made;
  const json::object* const object = policy.if_object();
  const json::value* const entities = object && object->size() == 1 ? object->if_contains("entities") : nullptr;
  if (!entities) return {};
  if (*entities == json::value(true)) {
    made.read.all = made.control.all = true;
    return made;
  }
  const json::object* const parts = entities->if_object();
  if (!parts) return {};
  const std::pair<std::string_view, core::Selection::Names core::Selection::*> named[] = {
      {"entity_ids", &core::Selection::entities},
      {"area_ids", &core::Selection::areas},
      {"domains", &core::Selection::domains}};
  for (const auto& [key, value] : *parts) {
    if (key == "all") {
      const auto access = access_of(value);
      if (!access) return {};
      made.read.all = access->read;
      made.control.all = access->control;
      continue;
    }
    core::Selection::Names core::Selection::* names = nullptr;
    for (const auto& [part, member] : named)
      if (key == part) names = member;
    if (!names || !value.is_object()) return {};
    for (const auto& [name, given] : value.get_object()) {
      const auto access = access_of(given);
      if (!access) return {};
      if (access->read) (made.read.*names).insert(std::string(name));
      if (access->control) (made.control.*names).insert(std::string(name));
    }
  }
  // There the narrowest part that names an entity decides, here all parts together: the same unless a part that only
  // reads stands before a wider one that controls.
  bool only_reads = false;
  for (const auto names : {&core::Selection::entities, &core::Selection::areas, &core::Selection::domains}) {
    if (only_reads && !(made.control.*names).empty()) return {};
    only_reads = only_reads || (made.read.*names).size() > (made.control.*names).size();
  }
  if (only_reads && made.control.all) return {};
  return made;
}

}  // namespace hearth::import_ha
