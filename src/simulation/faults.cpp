// SPDX-License-Identifier: Apache-2.0
#include "simulation/faults.h"

#include <algorithm>
#include <iterator>

namespace hearth::simulation {

Parts parts_of(const automation::Sections& sections, const Imports& imports) {
  return {automation::parse_configuration(sections),
          automation::parse_helpers(sections),
          automation::parse_scenes(sections),
          template_entities::parse_configuration(sections),
          derived::parse_configuration(sections),
          imports,
          {}};
}

std::vector<std::string> faults_of(const Parts& parts) {
  std::vector<std::string> all = errors_of(parts.automations);
  for (auto errors :
       {errors_of(parts.helpers), errors_of(parts.scenes), errors_of(parts.templates), errors_of(parts.sensors)})
    std::ranges::move(errors, std::back_inserter(all));
  // A fault of several kinds of items is in the lists of all.
  std::vector<std::string> once;
  for (std::string& fault : all) {
    if (std::ranges::find(once, fault) == once.end()) once.push_back(std::move(fault));
  }
  return once;
}

}  // namespace hearth::simulation
