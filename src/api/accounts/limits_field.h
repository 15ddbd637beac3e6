// SPDX-License-Identifier: Apache-2.0
// Limits of a user, a token or an invitation, as commands have them: the keys `group_ids`, `rights` and `ends_at`.
// Failures are invalid and name the key. Any thread.
#pragma once

#include <optional>

#include "api/gateway/message_reader.h"
#include "auth/user.h"

namespace hearth::api {

// Bytes of a policy as JSON.
constexpr std::size_t kMaxPolicy = 64 * 1024;

base::Result<core::PolicyPtr> parse_policy(const json::object& policy);

// The outer values are there if the keys are; the inner ones if they are not null.
struct Limits {
  std::optional<auth::Role> role;
  std::optional<core::PolicyPtr> policy;
  std::optional<std::optional<base::Timestamp>> ends_at;
};
// Reads these keys, and finishes.
base::Result<Limits> finish_limits(MessageReader& in);

// The keys as they are shown.
void add_limits(json::object& object, auth::Role role, const core::PolicyPtr& policy,
                std::optional<base::Timestamp> ends_at);

}  // namespace hearth::api
