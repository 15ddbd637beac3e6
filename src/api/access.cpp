// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "api/endpoint.h"

namespace hearth::api {

base::Result<void> check_access(Access access, const core::Rights& rights, std::string_view what) {
  using core::Scope;
  if (access == Access::metrics && rights.has(Scope::metrics)) return {};
  if (is_for_administrators(access) && !rights.of_administrator())
    return base::fail(base::ErrorCode::forbidden, fmt::format("This {} is for administrators.", what));
  if (access == Access::control) return rights.may_control();
  if (access == Access::fire || access == Access::admin_fire) return rights.may_fire_events();
  const auto scope = scope_of(access);
  return scope ? rights.may(*scope) : base::Result<void>();
}

http::Response too_many_requests(std::string message, std::chrono::seconds retry_after) {
  return std::move(
      http::Response::message(429, std::move(message)).with_header("Retry-After", std::to_string(retry_after.count())));
}

}  // namespace hearth::api
