// SPDX-License-Identifier: Apache-2.0
// What a caller may do. Decided by whoever authenticated the caller; asked by whoever acts for it.
#pragma once

#include <string_view>

namespace hearth::core {

enum class Role {
  administrator,
  user,    // reads and controls every entity
  reader,  // reads only: a display on the wall
};

struct Rights {
  Role role = Role::administrator;  // the hub itself, unless somebody is named

  bool administer() const { return role == Role::administrator; }
  bool control(std::string_view /*entity_id*/) const { return role != Role::reader; }
};

}  // namespace hearth::core
