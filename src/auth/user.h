// SPDX-License-Identifier: Apache-2.0
// A user of the hub. A value; a published one is immutable.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/id.h"
#include "base/result.h"
#include "core/rights/rights.h"

namespace hearth::auth {

using core::parse_role;
using core::Role;

struct User {
  base::Id id;       // 32 hexadecimal digits
  std::string name;  // the login name
  Role role;
  bool active;
  base::Timestamp created_at;
  std::string display_name = {};      // what others see
  bool is_owner = false;              // the first administrator
  std::int64_t password_version = 0;  // increases with each change of the password
  core::PolicyPtr policy = nullptr;   // null: the role alone decides
  bool has_totp = false;              // an authenticator app, asked after the password
  // Of the account: from then on it is as one that is not active. Null: never, as of all administrators.
  std::optional<base::Timestamp> ends_at = {};

  bool may_enter(base::Timestamp now) const { return active && (!ends_at || *ends_at > now); }
};

}  // namespace hearth::auth
