// SPDX-License-Identifier: Apache-2.0
// Signed paths, whose query says who may GET them and for how long (`/api/states?authSig=…`): for clients that cannot
// send a header. Any thread.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "auth/accounts/gate.h"
#include "http/messages/request.h"

namespace hearth::api {

constexpr std::chrono::seconds kMaxSignedLife{86'400};

// `path` may have a query, which counts. Whoever has the signed path asks with the rights that the identity has then.
// Fails with invalid.
base::Result<std::string> sign_path(const auth::Gate& gate, const auth::Identity& identity, std::string_view path,
                                    std::chrono::seconds life);

// Whom the request's signature lets in; null where there is none, or it is another path's, method's or too old.
auth::IdentityPtr signed_caller(const auth::Gate& gate, const http::Request& request);

}  // namespace hearth::api
