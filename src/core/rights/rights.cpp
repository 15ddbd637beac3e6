// SPDX-License-Identifier: Apache-2.0
#include "core/rights/rights.h"

#include <fmt/format.h>

#include <algorithm>

namespace hearth::core {

std::string_view to_string(Role role) {
  switch (role) {
    case Role::administrator:
      return "administrator";
    case Role::user:
      return "user";
    case Role::reader:
      return "reader";
  }
  return "reader";
}

base::Result<Role> parse_role(std::string_view text) {
  for (const Role role : {Role::administrator, Role::user, Role::reader}) {
    if (text == to_string(role)) return role;
  }
  return base::fail(base::ErrorCode::invalid,
                    fmt::format("There is no role {}; the roles are administrator, user and reader.", text));
}

bool Selection::names(std::string_view entity_id, const RegistryData& registry) const {
  if (all || entities.contains(entity_id) || domains.contains(entity_id.substr(0, entity_id.find('.')))) return true;
  if (areas.empty() && labels.empty() && sites.empty()) return false;
  const RegisteredEntity* const entity = registry.entities.find(entity_id);
  if (!entity) return false;
  if (!sites.empty() && sites.contains(site_of(*entity))) return true;
  const Area* const area = registry.area_of(*entity);
  if (area && areas.contains(area->id)) return true;
  const Device* const device = registry.device_of(*entity);
  const auto labelled = [this](const Texts& texts) {
    return std::ranges::any_of(texts, [this](const std::string& label) { return labels.contains(label); });
  };
  return labelled(entity->labels) || (device && labelled(device->labels)) || (area && labelled(area->labels));
}

Rights::Rights(Role role, PolicyPtr policy)
    : role_(role), policy_(role == Role::administrator ? nullptr : std::move(policy)) {}

Rights Rights::none() {
  static const auto nothing = std::make_shared<const Policy>();
  return Rights(Role::reader, nothing);
}

bool Rights::controls_anything() const {
  return role_ != Role::reader && (!policy_ || policy_->control != Selection());
}

bool Rights::controls(std::string_view entity_id, const RegistryData& registry) const {
  if (controls_all()) return true;
  if (role_ == Role::reader) return false;
  return policy_->control.names(entity_id, registry) && policy_->read.names(entity_id, registry);
}

}  // namespace hearth::core
