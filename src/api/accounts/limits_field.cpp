// SPDX-License-Identifier: Apache-2.0
#include "api/accounts/limits_field.h"

#include <fmt/format.h>

#include <utility>

#include "base/text/timestamp.h"
#include "core/rights/policy_json.h"

namespace hearth::api {
namespace {

// The clients of this family know roles as groups.
constexpr std::pair<std::string_view, auth::Role> kGroups[] = {{"system-admin", auth::Role::administrator},
                                                               {"system-users", auth::Role::user},
                                                               {"system-read-only", auth::Role::reader}};

base::Result<auth::Role> role_of(const std::vector<std::string>& groups) {
  for (const auto& [group, role] : kGroups) {
    if (groups.size() == 1 && groups.front() == group) return role;
  }
  return base::fail(base::ErrorCode::invalid,
                    "group_ids: expected one of system-admin, system-users and system-read-only.");
}

}  // namespace

base::Result<core::PolicyPtr> parse_policy(const json::object& policy) {
  const std::string text = base::to_json(policy);
  if (text.size() > kMaxPolicy)
    return base::fail(base::ErrorCode::invalid, fmt::format("rights: may take {} bytes at most.", kMaxPolicy));
  auto parsed = core::parse_policy(text);
  if (!parsed) return base::fail(base::ErrorCode::invalid, "rights: " + parsed.error().message);
  return std::make_shared<const core::Policy>(std::move(*parsed));
}

base::Result<Limits> finish_limits(MessageReader& in) {
  std::optional<std::vector<std::string>> groups;
  json::object policy;
  std::optional<std::optional<std::string>> ends_at;
  in.optional("group_ids", groups);
  const bool has_policy = in.has("rights");
  in.optional("rights", policy);
  in.change("ends_at", ends_at);
  const bool lifts = has_policy && in.is_null("rights");
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  Limits limits;
  if (groups) {
    const auto role = role_of(*groups);
    if (!role) return std::unexpected(role.error());
    limits.role = *role;
  }
  if (lifts) limits.policy.emplace(nullptr);
  if (has_policy && !lifts) {
    auto parsed = parse_policy(policy);
    if (!parsed) return std::unexpected(std::move(parsed.error()));
    limits.policy = std::move(*parsed);
  }
  if (!ends_at) return limits;
  limits.ends_at.emplace();
  if (!*ends_at) return limits;
  const auto time = base::parse_timestamp(**ends_at);
  if (!time) return base::fail(base::ErrorCode::invalid, "ends_at: " + time.error().message);
  *limits.ends_at = *time;
  return limits;
}

void add_limits(json::object& object, auth::Role role, const core::PolicyPtr& policy,
                std::optional<base::Timestamp> ends_at) {
  json::array groups;
  for (const auto& [group, each] : kGroups) {
    if (each == role) groups.emplace_back(group);
  }
  object["group_ids"] = std::move(groups);
  object["rights"] =
      policy && role != auth::Role::administrator ? base::parse_json(core::to_json(*policy)).value() : json::value();
  object["ends_at"] = ends_at ? json::value(base::to_string(*ends_at)) : json::value();
}

}  // namespace hearth::api
