// SPDX-License-Identifier: Apache-2.0
// The rights of a caller to read and control entities: what the user may, and of that what the token may. Set when the
// caller is authenticated; checked by core::View and by services, which act for the caller. Immutable values; any
// thread.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "core/registry/registry_data.h"
#include "core/rights/scopes.h"

namespace hearth::core {

enum class Role {
  administrator,  // everything, regardless of policies
  user,           // reads and controls every entity, or those that their policy names
  reader,         // reads only: a display on the wall
};

std::string_view to_string(Role role);
// Fails with invalid; the message names the existing roles.
base::Result<Role> parse_role(std::string_view text);

// A set of entities: the union of all parts.
struct Selection {
  using Names = std::set<std::string, std::less<>>;

  bool all = false;
  Names entities = {};  // entity ids
  Names domains = {};
  Names areas = {};   // ids, of the entity itself or of its device
  Names labels = {};  // of the entity, its device or its area
  Names sites = {};   // of a fleet, at its portal

  bool names(std::string_view entity_id, const RegistryData& registry) const;
  bool operator==(const Selection&) const = default;
};

// The part of the home that an administrator allows one user to see and control.
struct Policy {
  Selection read;
  Selection control;  // never more than `read`

  bool operator==(const Policy&) const = default;
};
using PolicyPtr = std::shared_ptr<const Policy>;

// Empty if the caller gives none.
struct PresentedPin {
  std::string pin, user;  // who gives it: wrong ones are counted for each
};

// A token's part of what its user may.
struct TokenRights {
  Scopes scopes = {};
  PolicyPtr policy = nullptr;  // of administrators' tokens, too; null sets no limits, one takes away admin and account

  // False if the token may do what its user may.
  bool limited() const { return policy || !scopes.all(); }
};

class Rights {
 public:
  Rights() = default;  // the hub's own: everything
  // A null policy sets no limits.
  explicit Rights(Role role, PolicyPtr policy = nullptr, TokenRights token = {});
  // Of an unknown caller: nothing.
  static Rights none();

  // Fails with forbidden if the token lacks the scope; the message names it.
  base::Result<void> may(Scope scope) const;
  bool has(Scope scope) const { return token_.scopes.has(scope); }

  bool administer() const { return role_ == Role::administrator && has(Scope::admin); }
  // True of the user, whatever the token may.
  bool of_administrator() const { return role_ == Role::administrator; }
  // The fast path for callers without a policy.
  bool reads_all() const { return reads_all_; }
  bool controls_all() const { return controls_all_; }
  // False if the caller controls nothing at all. may_control fails with forbidden then, and says whose fault it is.
  bool controls_anything() const;
  base::Result<void> may_control() const;
  // Events belong to no entity: who fires them may control everything, though the token needs no control. Fails with
  // forbidden.
  base::Result<void> may_fire_events() const;

  bool reads(std::string_view entity_id, const RegistryData& registry) const;
  bool controls(std::string_view entity_id, const RegistryData& registry) const;

  // Of a call by hand: entities that demand a PIN want to see it. The hub's own calls, such as those of automations,
  // go without.
  void present(PresentedPin pin) { pin_ = std::make_shared<const PresentedPin>(std::move(pin)); }
  void present_pin_of(const Rights& other) { pin_ = other.pin_; }
  const PresentedPin* presented_pin() const { return pin_.get(); }  // null for the hub's own calls

 private:
  bool covers_all() const;  // no policy leaves out anything

  Role role_ = Role::administrator;
  bool reads_all_ = true;
  bool controls_all_ = true;
  PolicyPtr policy_;  // null for administrators
  TokenRights token_;
  std::shared_ptr<const PresentedPin> pin_;
};

}  // namespace hearth::core
