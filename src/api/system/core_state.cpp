// SPDX-License-Identifier: Apache-2.0
#include "api/rows.h"
#include "api/system/recorder_state.h"

namespace hearth::api {
namespace {

base::Result<http::Response> get_core_state(const Call& call) {
  return http::Response::json(base::to_json(json::object{
      {"state", core::to_string(call.home.run_state())},
      {"recorder_state", recorder_state(call.parts)},
  }));
}

constexpr Answer kCoreState[] = {{200, "Whether the hub runs.", "CoreState"}};

}  // namespace

constexpr Endpoint kCoreStateEndpointRows[] = {
    {http::Verb::get, "/api/core/state", Access::user, get_core_state, Durable::no, "State of the hub itself",
     kCoreState},
};
constexpr Endpoints kCoreStateEndpoints = kCoreStateEndpointRows;

}  // namespace hearth::api
