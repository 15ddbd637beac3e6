// SPDX-License-Identifier: Apache-2.0
#include "api/call.h"

namespace hearth::api {

core::Context Call::context() const {
  return core::Context::create(home.clock().coarse_now(), caller->user->id);
}

core::Rights rights_of(const auth::Identity& identity) {
  return core::Rights(identity.user->role, identity.user->policy, identity.rights);
}

std::string_view bearer_token(std::string_view authorization) {
  constexpr std::string_view scheme = "bearer ";
  if (authorization.size() <= scheme.size()) return {};
  for (std::size_t i = 0; i < scheme.size(); ++i) {
    const char c = authorization[i];
    if ((c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c) != scheme[i]) return {};
  }
  authorization.remove_prefix(scheme.size());
  const auto first = authorization.find_first_not_of(' ');
  return first == std::string_view::npos ? std::string_view() : authorization.substr(first);
}

}  // namespace hearth::api
