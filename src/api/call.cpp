// SPDX-License-Identifier: Apache-2.0
#include "api/call.h"

namespace hearth::api {

core::Context Call::context() const {
  return core::Context::create(hub.clock.coarse_now(), caller->user->id);
}

core::Rights rights_of(const auth::Identity& identity) {
  switch (identity.user->role) {
    case auth::Role::administrator:
      return {core::Role::administrator};
    case auth::Role::user:
      return {core::Role::user};
    case auth::Role::reader:
      return {core::Role::reader};
  }
  return {core::Role::reader};
}

}  // namespace hearth::api
