// SPDX-License-Identifier: Apache-2.0
// Everything that a template may see: a home with the rights of the caller, its clock and time zone, files to import.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "core/view.h"
#include "template/values/past_states.h"
#include "template/values/variables.h"

namespace hearth::templates {

// The entities that a rendering has looked at: it may change if one of these does.
struct Dependencies {
  std::set<std::string, std::less<>> entities, domains;
  bool all = false;           // every entity
  bool time = false;          // it changes by itself; render it again each minute
  bool registry = false;      // areas, devices, labels and so on
  bool beyond_lists = false;  // more of the home than limited templates may: they know only lists of the registry
};

// Texts of *.jinja for {% import %}, by path within the folder custom_templates.
using Imports = std::map<std::string, std::string, std::less<>>;

struct Environment {
  const core::View* home = nullptr;  // null if there is none: its functions find nothing
  const PastStates* past = nullptr;  // null if it is seen as it is now
  const base::Clock* clock = nullptr;
  Zone zone = Zone::utc();  // of the home
  std::shared_ptr<const Imports> imports = {};
  Limits limits = {};
  Dependencies* dependencies = nullptr;  // filled if not null
  bool strict = false;                   // what is undefined cannot be printed either
};

}  // namespace hearth::templates
