// SPDX-License-Identifier: Apache-2.0
#include "api/handlers.h"
#include "api/system/recorder_state.h"

namespace hearth::api {

base::Result<http::Response> core_state::get(const Call& call) {
  return http::Response::json(base::to_json(json::object{
      {"state", core::to_string(call.home.run_state())},
      {"recorder_state", recorder_state(call.records)},
  }));
}

}  // namespace hearth::api
