// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "api/gateway/json_body.h"
#include "api/handlers.h"
#include "api/records.h"
#include "template/template.h"

namespace hearth::api {
namespace {

http::Response failed(const hearth::templates::Failure& failure) {
  json::object error{{"message", fmt::format("Error rendering template: {}", failure.message)},
                     {"kind", to_string(failure.kind)},
                     {"line", nullptr}};
  if (failure.line > 0) error["line"] = failure.line;
  return http::Response::json(base::to_json(error), 400);
}

}  // namespace

base::Result<http::Response> templates::post(const Call& call) {
  using hearth::templates::Environment, hearth::templates::Template, hearth::templates::Value;
  const auto body = parse_json_body(call.request.body);
  if (!body) return std::unexpected(body.error());
  const auto source = text_field(*body, "template");
  if (!source) return std::unexpected(source.error());
  hearth::templates::Variables variables;
  if (const json::value* const given = body->if_contains("variables"); given && !given->is_null()) {
    if (!given->is_object()) return base::fail(base::ErrorCode::invalid, "variables: expected an object.");
    for (const auto& [name, value] : given->get_object()) variables.emplace_back(name, Value::from_json(value));
  }
  const auto compiled = Template::compile(*source);
  if (!compiled) return failed(compiled.error());
  Environment environment{.home = &call.home, .clock = &call.home.clock()};
  environment.zone = hearth::templates::Zone::of(call.home.config()->time_zone);
  environment.imports = call.records.imports();
  auto text = compiled->render(environment, variables);
  if (!text) return failed(text.error());
  http::Response response;
  response.content_type = "text/plain; charset=utf-8";
  response.text = std::move(*text);
  return response;
}

}  // namespace hearth::api
