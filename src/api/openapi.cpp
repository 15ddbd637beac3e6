// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "api/routes.h"
#include "api/rows.h"
#include "api/schemas.h"

namespace hearth::api {
namespace {

// With those of companion apps.
json::object all_schemas() {
  json::object all = schemas();
  const json::value more = base::parse_json(phone_schemas()).value();
  all.insert(more.as_object().begin(), more.as_object().end());
  return all;
}

json::object reference(std::string_view schema) {
  return {{"$ref", "#/components/schemas/" + std::string(schema)}};
}

json::object content(std::string_view type, std::string_view schema) {
  return {{type, {{"schema", reference(schema)}}}};
}

// The names in braces, in order.
std::vector<std::string> path_parameters(std::string_view path) {
  std::vector<std::string> names;
  for (auto open = path.find('{'); open != std::string_view::npos; open = path.find('{', open + 1)) {
    names.emplace_back(path.substr(open + 1, path.find('}', open) - open - 1));
  }
  return names;
}

struct PathParameter {
  std::string_view name, description, schema;
};
constexpr std::string_view kLine = R"({"type": "string", "pattern": "^[^\\x00-\\x1f\\x7f]+$"})";
// Values that the handlers take; any other text is refused, or nothing is found by it.
constexpr PathParameter kPathParameters[] = {
    {"entity_id", "The entity, in any case.",
     R"({"type": "string", "maxLength": 255, "example": "light.kitchen",
         "pattern": "^(?=[^.]{1,64}[.])[A-Za-z0-9]+(_[A-Za-z0-9]+)*[.][A-Za-z0-9]+(_[A-Za-z0-9]+)*$"})"},
    {"event_type", "1 to 64 characters without control characters, and not `*`.",
     R"({"type": "string", "minLength": 1, "maxLength": 64, "example": "doorbell",
         "pattern": "^(?![*]$)(?![.][.]?$)[^\\x00-\\x1f\\x7f]+$"})"},
    {"domain", "In any case.", kLine},
    {"service", "In any case.", kLine},
    {"start", "The time, by ISO 8601.", R"({"type": "string", "format": "date-time"})"},
    {"name", "The backup's.", R"({"type": "string", "pattern": "^[a-z0-9_-]{1,64}$"})"},
    {"flow_id", "The login's.", kLine},
    {"id", "The item's: of an automation or a scene its `id`, of a script its object id.", kLine},
    {"path", "The file below `www/`, which may be in folders.", kLine},
    {"webhook_id", "The webhook's, which only those know who were told it.", kLine},
};

json::array parameters(const Endpoint& endpoint) {
  json::array list;
  for (const auto& name : path_parameters(endpoint.path)) {
    const auto known = std::ranges::find(kPathParameters, name, &PathParameter::name);
    const bool described = known != std::end(kPathParameters);
    list.push_back(json::object{{"name", name},
                                {"in", "path"},
                                {"description", described ? known->description : ""},
                                {"required", true},
                                {"schema", described ? base::parse_json(known->schema).value()
                                                     : json::value(json::object{{"type", "string"}})}});
  }
  for (const Parameter& parameter : endpoint.parameters) {
    json::value schema = base::parse_json(parameter.schema).value();
    if (parameter.repeated) schema = json::object{{"type", "array"}, {"items", std::move(schema)}};
    list.push_back(json::object{{"name", parameter.name},
                                {"in", "query"},
                                {"description", parameter.description},
                                {"required", parameter.required},
                                {"schema", std::move(schema)}});
  }
  return list;
}

json::object answers(const Endpoint& endpoint) {
  json::object all;
  for (const Answer& answer : endpoint.answers) {
    json::value& described = all[std::to_string(answer.status)];
    if (described.is_null()) described = {{"description", answer.description}};
    if (answer.schema.empty()) continue;
    json::value& contents = described.as_object()["content"];
    if (contents.is_null()) contents.emplace_object();
    contents.as_object()[answer.content_type] = {{"schema", reference(answer.schema)}};
  }
  const auto error = [&](int status, std::string_view description) {
    if (all.contains(std::to_string(status))) return;
    all[std::to_string(status)] = {{"description", description}, {"content", content("application/json", "Message")}};
  };
  error(400, "The request is not what was expected; the message says how.");
  if (!is_open(endpoint.access)) error(401, "The token is missing or not valid.");
  if (!is_open(endpoint.access)) error(403, "The caller, or the token, has not the right.");
  if (is_open(endpoint.access) && endpoint.method != http::Verb::get) error(403, "A page of another site asks.");
  if (endpoint.not_found) error(404, "What the path names is not there.");
  if (endpoint.body) error(413, "The body is too large.");
  error(429, "Too many failed logins from this address, or too many requests of this token.");
  error(431, "The request line and header fields are too long.");
  error(500, "A failure of the hub; the reason is in its log.");
  error(503, "The hub is shutting down, or receives too much at once.");
  return all;
}

json::object body_content(const Body& body) {
  if (body.file) return content("application/octet-stream", body.schema);
  if (!body.form) {
    json::object all = content(body.content_type, body.schema);
    if (!body.text_type.empty()) all[body.text_type] = {{"schema", reference("Text")}};
    return all;
  }
  json::object both = content("application/x-www-form-urlencoded", body.schema);
  both["multipart/form-data"] = {{"schema", reference(body.schema)}};
  return both;
}

// The caller that is needed, beyond a valid token.
std::string description(Access access) {
  if (is_open(access)) return {};
  if (access == Access::metrics) return "For administrators, and with a token of the scope metrics.";
  std::string text = is_for_administrators(access) ? "For administrators. " : "";
  if (access == Access::call) text += "A reader may call what only answers. ";
  if (access == Access::picture) text += "With a user's token, or the picture's own. ";
  return text + fmt::format("A token with scopes needs {}.", core::to_string(*scope_of(access)));
}

json::object operation(const Endpoint& endpoint) {
  const auto verb = boost::beast::http::to_string(endpoint.method);
  std::string id = core::slugify(std::string(verb.data(), verb.size()) + " " + std::string(endpoint.path));
  json::object object{{"operationId", id}, {"summary", endpoint.summary}};
  if (auto list = parameters(endpoint); !list.empty()) object["parameters"] = std::move(list);
  if (endpoint.body) {
    object["requestBody"] = {{"required", endpoint.body->required}, {"content", body_content(*endpoint.body)}};
  }
  object["responses"] = answers(endpoint);
  if (is_open(endpoint.access)) object["security"] = json::array();
  if (auto text = description(endpoint.access); !text.empty()) object["description"] = std::move(text);
  return object;
}

std::string document(std::string_view version) {
  json::object paths;
  for (const Endpoint& endpoint : endpoints()) {
    json::value& path = paths[endpoint.path];
    if (path.is_null()) path.emplace_object();
    const auto verb = boost::beast::http::to_string(endpoint.method);
    path.get_object()[core::lower_case({verb.data(), verb.size()})] = operation(endpoint);
  }
  return base::to_json(json::object{
      {"openapi", "3.1.0"},
      {"info",
       {{"title", "Hearth"},
        {"version", version},
        {"description", "The REST interface of the home: states, events, services, configuration and a live stream."},
        {"license", {{"name", "Apache-2.0"}, {"identifier", "Apache-2.0"}}}}},
      {"servers", json::array{json::object{{"url", "/"}}}},
      {"security", json::array{json::object{{"token", json::array()}}}},
      {"paths", std::move(paths)},
      {"components",
       {{"schemas", all_schemas()},
        {"securitySchemes",
         {{"token",
           {{"type", "http"},
            {"scheme", "bearer"},
            {"description",
             "A long-lived access token, made with `hearth token create`, or one of `/auth/token`."}}}}}}},
  });
}

base::Result<http::Response> get_document(const Call& call) {
  http::Response response = http::Response::json(document(call.home.config()->version));
  response.cache_control = "no-cache";  // everybody may know it
  return response;
}

constexpr Answer kDocument[] = {{200, "This document.", "Document"}};

}  // namespace

constexpr Endpoint kOpenApiEndpointRows[] = {
    {http::Verb::get, "/api/openapi.json", Access::open, get_document, Durable::no, "This API, described", kDocument},
};
constexpr Endpoints kOpenApiEndpoints = kOpenApiEndpointRows;

}  // namespace hearth::api
