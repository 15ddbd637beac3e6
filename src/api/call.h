// SPDX-License-Identifier: Apache-2.0
// The arguments of a handler: the request, the caller, the home, and the gate.
#pragma once

#include <memory>
#include <string_view>

#include "auth/accounts/gate.h"
#include "base/json/json.h"
#include "base/result.h"
#include "core/bus/context.h"
#include "core/view.h"
#include "http/messages/request.h"

namespace hearth::api {

class HomeSettings;
enum class Durable;
struct Parts;
class SocketHub;
class StateList;
class StreamHub;

struct Call {
  core::View home;  // as the caller may see and change it
  auth::Gate& gate;
  HomeSettings& settings;
  StreamHub& streams;
  SocketHub& sockets;
  StateList& state_list;
  const Parts& parts;
  Durable durable;  // of the endpoint
  const http::Request& request;
  std::shared_ptr<const auth::Identity> caller;  // null on open endpoints

  // The segment of the path at `index`, decoded: /api/states/x has 0 `api`, 1 `states`, 2 `x`.
  std::string_view path(std::size_t index) const { return request.target.segment(index); }
  // A fresh context with the caller as its user.
  core::Context context() const;
};

core::Rights rights_of(const auth::Identity& identity);

// The token of `Bearer <token>`, the scheme in any case; empty where there is none.
std::string_view bearer_token(std::string_view authorization);

}  // namespace hearth::api
