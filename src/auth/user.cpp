// SPDX-License-Identifier: Apache-2.0
#include "auth/user.h"

#include <fmt/format.h>

namespace hearth::auth {

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

}  // namespace hearth::auth
