// SPDX-License-Identifier: Apache-2.0
#include "api/handlers.h"

namespace hearth::api {

base::Result<http::Response> core_state::get(const Call& call) {
  return http::Response::json(base::to_json(json::object{
      {"state", core::to_string(call.hub.run_state)},
      {"recorder_state", {{"migration_in_progress", false}, {"migration_is_live", false}}},
  }));
}

}  // namespace hearth::api
