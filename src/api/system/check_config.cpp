// SPDX-License-Identifier: Apache-2.0
#include "api/handlers.h"
#include "api/system/configuration_task.h"
#include "api/system/home_settings.h"

namespace hearth::api {

void check_config::post(const Call& call, http::Responder responder) {
  answer_from_configuration(call.records, std::move(responder), [&settings = call.settings] {
    const auto warnings = settings.check_file();
    const bool warns = warnings && !warnings->empty();
    return http::Response::json(base::to_json(json::object{
        {"result", warnings ? "valid" : "invalid"},
        {"errors", warnings ? json::value() : json::value(warnings.error().message)},
        {"warnings", warns ? json::value(json::string(*warnings)) : json::value()},
    }));
  });
}

}  // namespace hearth::api
