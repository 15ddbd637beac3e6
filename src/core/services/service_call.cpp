// SPDX-License-Identifier: Apache-2.0
#include "core/services/service_call.h"

#include <memory>

namespace hearth::core {

ServiceReply join_replies(std::size_t count, ServiceReply reply) {
  struct Joined {
    std::size_t left;
    ServiceReply reply;
    base::Result<json::value> result = json::value();
  };
  return [joined = std::make_shared<Joined>(count, std::move(reply))](base::Result<json::value> response) {
    base::Result<json::value>& result = joined->result;
    if (!response || !result) {
      if (result) result = std::move(response);
    } else if (response->is_object() && result->is_object()) {
      for (auto& [key, value] : response->get_object()) result->get_object()[key] = std::move(value);
    } else if (!response->is_null()) {
      result = std::move(response);
    }
    if (--joined->left == 0) joined->reply(std::move(result));
  };
}

}  // namespace hearth::core
