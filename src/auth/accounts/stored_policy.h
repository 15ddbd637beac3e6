// SPDX-License-Identifier: Apache-2.0
// A user's policy as stored in the table of users. Used inside auth only.
#pragma once

#include "base/log/log.h"
#include "core/rights/policy_json.h"
#include "storage/database.h"

namespace hearth::auth {

// Null if the column is. An unreadable policy lets its user see nothing.
inline core::PolicyPtr read_policy(const storage::Statement& row, int column) {
  if (row.is_null(column)) return nullptr;
  auto policy = core::parse_policy(row.text(column));
  if (!policy) base::log_error("auth", "the rights of a user cannot be read: {}", policy.error().message);
  return std::make_shared<const core::Policy>(std::move(policy).value_or(core::Policy()));
}

}  // namespace hearth::auth
