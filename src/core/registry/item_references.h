// SPDX-License-Identifier: Apache-2.0
// The references of an automation or a script: ids, and the services that it calls. An immutable value.
#pragma once

#include <set>
#include <string>

namespace hearth::core {

struct References {
  std::set<std::string> entities, devices, areas, floors, labels, services;
  std::string blueprint = {};  // its path; empty if it uses none
};

struct ItemReferences {
  std::string domain;     // automation or script
  std::string unique_id;  // as in the registry of entities
  References named;
};

}  // namespace hearth::core
