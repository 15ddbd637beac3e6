// SPDX-License-Identifier: Apache-2.0
// Who may use the hub. Values; a published one is immutable.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/id.h"
#include "base/result.h"

namespace hearth::auth {

enum class Role {
  administrator,
  user,
  reader,  // reads only: a display on the wall
};

std::string_view to_string(Role role);
// Fails with invalid; the message names the roles there are.
base::Result<Role> parse_role(std::string_view text);

struct User {
  base::Id id;       // 32 hexadecimal digits
  std::string name;  // what they log in with
  Role role;
  bool active;
  base::Timestamp created_at;
  std::string display_name = {};      // what others call them
  bool is_owner = false;              // the first of the administrators
  std::int64_t password_version = 0;  // rises with each change of the password
};

}  // namespace hearth::auth
