// SPDX-License-Identifier: Apache-2.0
#include "api/rows.h"
#include "api/system/configuration_task.h"
#include "api/system/home_settings.h"

namespace hearth::api {
namespace {

void check_configuration(const Call& call, http::Responder responder) {
  answer_from_configuration(call.parts, std::move(responder), [&settings = call.settings] {
    const auto warnings = settings.check_file();
    const bool warns = warnings && !warnings->empty();
    return http::Response::json(base::to_json(json::object{
        {"result", warnings ? "valid" : "invalid"},
        {"errors", warnings ? json::value() : json::value(warnings.error().message)},
        {"warnings", warns ? json::value(json::string(*warnings)) : json::value()},
    }));
  });
}

constexpr Answer kConfigCheck[] = {{200, "Whether it is valid, and what is wrong with it.", "ConfigCheck"}};

}  // namespace

constexpr Endpoint kCheckConfigEndpointRows[] = {
    {http::Verb::post, "/api/config/core/check_config", Access::admin, check_configuration, Durable::no,
     "Whether configuration.yaml is valid", kConfigCheck},
};
constexpr Endpoints kCheckConfigEndpoints = kCheckConfigEndpointRows;

}  // namespace hearth::api
