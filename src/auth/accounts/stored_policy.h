// SPDX-License-Identifier: Apache-2.0
// Policies as stored in the tables of users and tokens. Used inside auth only.
#pragma once

#include <optional>
#include <string>

#include "base/log/log.h"
#include "core/rights/policy_json.h"
#include "storage/database.h"

namespace hearth::auth {

// Null if the column is. With an unreadable policy one sees nothing.
inline core::PolicyPtr read_policy(const storage::Statement& row, int column) {
  if (row.is_null(column)) return nullptr;
  auto policy = core::parse_policy(row.text(column));
  if (!policy) base::log_error("auth", "the rights of a user or token cannot be read: {}", policy.error().message);
  return std::make_shared<const core::Policy>(std::move(policy).value_or(core::Policy()));
}

// For the column; null if the policy is.
inline std::optional<std::string> policy_text(const core::PolicyPtr& policy) {
  return policy ? std::optional(core::to_json(*policy)) : std::nullopt;
}

// Of the columns `scope`, at `column`, and `rights`, the next.
inline core::TokenRights read_token_rights(const storage::Statement& row, int column) {
  return {core::Scopes::stored(row.text(column)), read_policy(row, column + 1)};
}

}  // namespace hearth::auth
