// SPDX-License-Identifier: Apache-2.0
// Who may use the hub. Values; a published one is immutable.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/id.h"
#include "base/result.h"
#include "core/rights.h"

namespace hearth::auth {

using core::parse_role;
using core::Role;

struct User {
  base::Id id;       // 32 hexadecimal digits
  std::string name;  // what they log in with
  Role role;
  bool active;
  base::Timestamp created_at;
  std::string display_name = {};      // what others call them
  bool is_owner = false;              // the first of the administrators
  std::int64_t password_version = 0;  // rises with each change of the password
  core::PolicyPtr policy = nullptr;   // null: the role alone decides
};

}  // namespace hearth::auth
