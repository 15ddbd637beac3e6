// SPDX-License-Identifier: Apache-2.0
#include "api/call.h"

namespace hearth::api {

core::Context Call::context() const {
  return core::Context::create(home.clock().coarse_now(), caller->user->id);
}

core::Rights rights_of(const auth::Identity& identity) {
  return core::Rights(identity.user->role, identity.user->policy, identity.rights);
}

}  // namespace hearth::api
