// SPDX-License-Identifier: Apache-2.0
// The results of all templates of one entity at one moment. Bus thread only.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "automation/home/moment.h"
#include "template_entities/plan.h"

namespace hearth::template_entities {

struct Rendering {
  bool available = true;  // otherwise all below is empty
  std::string name;
  json::object extra;  // attributes beside those of the domain: icon, entity_picture, those that the user names
  std::vector<std::pair<const Reading*, templates::Value>> values;

  // Null if there is none, or it is none or undefined.
  const templates::Value* find(std::string_view sets) const;
};

// Fails with invalid if a template does; `seen` notes what they looked at until then.
base::Result<Rendering> render(const EntityPlan& plan, const automation::Moment& moment,
                               const templates::Variables& variables, templates::Dependencies* seen);
// The plan's own variables, before those that it sees. Fails with invalid.
base::Result<templates::Variables> with_variables(const automation::NamedData& named, const automation::Moment& moment,
                                                  templates::Variables variables, templates::Dependencies* seen);

}  // namespace hearth::template_entities
