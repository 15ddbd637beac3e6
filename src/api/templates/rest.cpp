// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "api/gateway/json_body.h"
#include "api/rows.h"
#include "api/templates/rendering.h"

namespace hearth::api {
namespace {

using hearth::templates::Failure, hearth::templates::Limits, hearth::templates::Template;

// A template with its variables, and the home as its caller sees it. Any thread.
struct TextOrder {
  std::string source;
  hearth::templates::Variables variables;
  core::View home;
  std::shared_ptr<const hearth::templates::Imports> imports;
  std::shared_ptr<auth::Usage> usage;
  const auth::Gate* gate;

  std::expected<std::string, Failure> render(const Limits& limits) const {
    const TemplateTime charged(*usage, *gate);
    const auto compiled = Template::compile(source, limits);
    if (!compiled) return std::unexpected(compiled.error());
    hearth::templates::Environment environment{.home = &home, .clock = &home.clock()};
    environment.zone = hearth::templates::Zone::of(home.config()->time_zone);
    environment.imports = imports;
    environment.limits = limits;
    return compiled->render(environment, variables);
  }
};

base::Result<TextOrder> read_order(const Call& call) {
  const auto body = parse_json_body(call.request.body);
  if (!body) return std::unexpected(body.error());
  auto source = text_field(*body, "template");
  if (!source) return std::unexpected(source.error());
  TextOrder order{std::string(*source), {}, call.home, call.parts.imports(), call.caller->usage, &call.gate};
  if (const json::value* const given = body->if_contains("variables"); given && !given->is_null()) {
    if (!given->is_object()) return base::fail(base::ErrorCode::invalid, "variables: expected an object.");
    for (const auto& [name, value] : given->get_object())
      order.variables.emplace_back(name, hearth::templates::Value::from_json(value));
  }
  return order;
}

http::Response answer(std::expected<std::string, Failure> rendered) {
  http::Response response;
  if (!rendered) {
    const Failure& failure = rendered.error();
    json::object error{{"message", fmt::format("Error rendering template: {}", failure.message)},
                       {"kind", to_string(failure.kind)},
                       {"line", nullptr}};
    if (failure.line > 0) error["line"] = failure.line;
    return http::Response::json(base::to_json(error), 400);
  }
  response.content_type = "text/plain; charset=utf-8";
  response.text = std::move(*rendered);
  return response;
}

// Fails with invalid, unavailable, throttled.
void post_template(const Call& call, http::Responder responder) {
  const auto wait = call.caller->usage->template_wait(call.gate.use_limits, call.gate.clock());
  if (wait.count() > 0)
    return responder.send(
        too_many_requests("The templates of this token or user take too long (template_time).", wait));
  auto order = read_order(call);
  if (!order) return responder.send(http::Response::error(order.error()));
  auto rendered = order->render(quick({}));
  if (rendered || !rendered.error().endless) return responder.send(answer(std::move(rendered)));
  const auto shared = std::make_shared<http::Responder>(std::move(responder));
  const bool posted = post_rendering(call.parts, RenderingQueue::answers,
                                     [shared, order = std::move(*order)] { shared->send(answer(order.render({}))); });
  if (!posted) shared->send(http::Response::message(503, "Too many templates wait to be rendered. Try again soon."));
}

constexpr Answer kRendered[] = {
    {200, "The text, without white space at its ends.", "Text", "text/plain"},
    {400, "The template is wrong, or fails; kind and line say how and where.", "TemplateError"}};
constexpr Body kTemplate{"Template", true};

}  // namespace

constexpr Endpoint kTemplateEndpointRows[] = {
    {http::Verb::post,
     "/api/template",
     Access::admin_template,
     post_template,
     Durable::no,
     "Render a template",
     kRendered,
     {},
     &kTemplate},
};
constexpr Endpoints kTemplateEndpoints = kTemplateEndpointRows;

}  // namespace hearth::api
