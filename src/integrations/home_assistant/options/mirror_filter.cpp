// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/options/mirror_filter.h"

#include <algorithm>

namespace hearth::integrations::home_assistant {
namespace {

using Rule = MirrorFilter::Rule;
using Subject = MirrorFilter::Subject;

bool names_entity(const Rule& rule, const Subject& subject) {
  return rule.entities.contains(subject.entity_id);
}

bool names_by_glob(const Rule& rule, const Subject& subject) {
  return std::ranges::any_of(rule.globs, [&](const core::Glob& glob) { return glob.matches(subject.entity_id); });
}

bool names_device(const Rule& rule, const Subject& subject) {
  return !subject.device_id.empty() && rule.devices.contains(subject.device_id);
}

bool names_place(const Rule& rule, const Subject& subject) {
  if (!subject.area_id.empty() && rule.areas.contains(subject.area_id)) return true;
  return subject.labels &&
         std::ranges::any_of(*subject.labels, [&](const std::string& label) { return rule.labels.contains(label); });
}

bool names_integration(const Rule& rule, const Subject& subject) {
  return !subject.platform.empty() && rule.integrations.contains(subject.platform);
}

bool names_domain(const Rule& rule, const Subject& subject) {
  return rule.domains.contains(subject.entity_id.substr(0, subject.entity_id.find('.')));
}

}  // namespace

bool MirrorFilter::Rule::empty() const {
  return entities.empty() && domains.empty() && areas.empty() && labels.empty() && devices.empty() &&
         integrations.empty() && globs.empty();
}

bool MirrorFilter::includes(const Subject& subject) const {
  for (const auto names : {names_entity, names_by_glob, names_device, names_place, names_integration, names_domain}) {
    if (names(include, subject)) return true;
    if (names(exclude, subject)) return false;
  }
  return include.empty();
}

}  // namespace hearth::integrations::home_assistant
