// SPDX-License-Identifier: Apache-2.0
#include "api/gateway/json_body.h"

namespace hearth::api {

using base::ErrorCode;
using base::fail;

base::Result<json::object> parse_json_body(std::string_view body) {
  auto parsed = base::parse_json(body);
  if (!parsed) return fail(ErrorCode::invalid, "Invalid JSON specified: " + parsed.error().message + ".");
  if (!parsed->is_object()) return fail(ErrorCode::invalid, "The body should be a JSON object.");
  return std::move(parsed->get_object());
}

base::Result<std::string> text_field(const json::object& object, std::string_view name) {
  auto text = optional_text_field(object, name);
  if (!text) return std::unexpected(std::move(text.error()));
  if (!*text) return fail(ErrorCode::invalid, std::string(name) + ": expected a text, found nothing.");
  return std::move(**text);
}

base::Result<std::optional<std::string>> optional_text_field(const json::object& object, std::string_view name) {
  const json::value* value = object.if_contains(name);
  if (!value || value->is_null()) return std::nullopt;
  if (!value->is_string()) return fail(ErrorCode::invalid, std::string(name) + ": expected a text.");
  return std::string(value->get_string());
}

}  // namespace hearth::api
