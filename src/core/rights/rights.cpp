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

Rights::Rights(Role role, PolicyPtr policy, TokenRights token)
    : role_(role), policy_(role == Role::administrator ? nullptr : std::move(policy)), token_(std::move(token)) {
  if (token_.policy) token_.scopes = token_.scopes.without(Scope::admin).without(Scope::account);
  const auto reads_all = [](const PolicyPtr& limit) { return !limit || limit->read.all; };
  reads_all_ = has(Scope::read) && reads_all(policy_) && reads_all(token_.policy);
  controls_all_ = role_ != Role::reader && has(Scope::control) && reads_all_ && covers_all();
}

Rights Rights::none() {
  static const auto nothing = std::make_shared<const Policy>();
  return Rights(Role::reader, nothing);
}

base::Result<void> Rights::may(Scope scope) const {
  if (has(scope)) return {};
  if (scope == Scope::account)
    return base::fail(base::ErrorCode::forbidden, "A token with scopes does not manage its user's account.");
  return base::fail(base::ErrorCode::forbidden, fmt::format("This token lacks the scope {}.", to_string(scope)));
}

bool Rights::covers_all() const {
  const auto covers = [](const PolicyPtr& limit) { return !limit || (limit->read.all && limit->control.all); };
  return covers(policy_) && covers(token_.policy);
}

bool Rights::controls_anything() const {
  const auto controls = [](const PolicyPtr& limit) { return !limit || limit->control != Selection(); };
  return role_ != Role::reader && has(Scope::control) && controls(policy_) && controls(token_.policy);
}

base::Result<void> Rights::may_control() const {
  if (controls_anything()) return {};
  if (auto may_token = may(Scope::control); !may_token) return may_token;
  return base::fail(base::ErrorCode::forbidden, "This user may only read.");
}

base::Result<void> Rights::may_fire_events() const {
  if (auto may_token = may(Scope::fire_event); !may_token) return may_token;
  if (role_ == Role::reader) return base::fail(base::ErrorCode::forbidden, "This user may only read.");
  if (covers_all()) return {};
  return base::fail(base::ErrorCode::forbidden, "Only who may control everything may fire events.");
}

bool Rights::reads(std::string_view entity_id, const RegistryData& registry) const {
  if (reads_all_) return true;
  const auto reads = [&](const PolicyPtr& limit) { return !limit || limit->read.names(entity_id, registry); };
  return has(Scope::read) && reads(policy_) && reads(token_.policy);
}

bool Rights::controls(std::string_view entity_id, const RegistryData& registry) const {
  if (controls_all_) return true;
  if (role_ == Role::reader || !has(Scope::control)) return false;
  const auto controls = [&](const PolicyPtr& limit) { return !limit || limit->control.names(entity_id, registry); };
  return controls(policy_) && controls(token_.policy) && reads(entity_id, registry);
}

}  // namespace hearth::core
