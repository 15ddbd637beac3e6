// SPDX-License-Identifier: Apache-2.0
#include "api/registry/fields.h"

#include <fmt/format.h>

#include "core/registry/registry_json.h"

namespace hearth::api {

void read_texts(MessageReader& in, std::string_view key, std::optional<core::Texts>& value) {
  std::optional<std::vector<std::string>> list;
  in.optional(key, list);
  if (list) value.emplace(list->begin(), list->end());
}

base::Result<void> read_by(MessageReader& in, std::string_view key,
                           std::optional<std::optional<core::ChangedBy>>& value) {
  std::optional<core::OptionalText> text;
  in.change(key, text);
  if (!text) return {};
  value.emplace();
  if (!*text) return {};
  if (**text != "user" && **text != "integration") {
    return base::fail(base::ErrorCode::invalid, fmt::format("{}: expected null or user.", key));
  }
  *value = **text == "user" ? core::ChangedBy::user : core::ChangedBy::integration;
  return {};
}

base::Result<void> read_categories(MessageReader& in, std::optional<std::map<std::string, core::OptionalText>>& value) {
  json::object scopes;
  in.optional("categories", scopes);
  for (const auto& [scope, id] : scopes) {
    if (!id.is_null() && !id.is_string())
      return base::fail(base::ErrorCode::invalid, "categories: expected an object of texts or null, by scope");
    if (!value) value.emplace();
    (*value)[std::string(scope)] = id.is_null() ? core::OptionalText() : std::string(id.get_string());
  }
  return {};
}

base::Result<void> read_options(MessageReader& in,
                                std::optional<std::pair<std::string, std::optional<json::object>>>& value) {
  std::optional<std::string> domain;
  std::optional<json::object> options;
  json::object object;
  in.optional("options_domain", domain);
  const bool named = in.has("options"), null = in.is_null("options");
  in.optional("options", object);
  if (!domain && !named) return {};
  if (!domain || !named)
    return base::fail(base::ErrorCode::invalid, "options, options_domain: expected both or neither");
  if (!null) options = std::move(object);
  value.emplace(std::move(*domain), std::move(options));
  return {};
}

base::Result<std::string> read_id(const CommandCall& call, std::string_view key) {
  const json::value* const named = call.message.if_contains(key);
  if (!named || !named->is_string())
    return base::fail(base::ErrorCode::invalid, fmt::format("{}: expected a text", key));
  return std::string(named->get_string());
}

json::object given_fields(const CommandCall& call, std::string_view id_key) {
  json::object given = call.message;
  for (const std::string_view key : {std::string_view("id"), std::string_view("type"), id_key}) given.erase(key);
  return given;
}

json::object item_answer(const core::Item& item, std::string_view id_key,
                         std::initializer_list<std::string_view> keys) {
  json::object object{{id_key, item.id}};
  for (const std::string_view key : keys) {
    const json::value* const value = item.fields.if_contains(key);
    object[key] = value ? *value : json::value();
  }
  const json::object stored = core::to_json(item);
  for (const char* const key : {"created_at", "modified_at"}) object[key] = stored.at(key);
  return object;
}

std::unexpected<CommandError> registry_error(const base::Error& error) {
  const bool refused = error.code == base::ErrorCode::invalid || error.code == base::ErrorCode::conflict;
  return std::unexpected(refused ? CommandError(command_error::kInvalidInfo, error.message) : CommandError(error));
}

std::unexpected<CommandError> area_error(const base::Error& error) {
  if (error.code != base::ErrorCode::not_found) return registry_error(error);
  return std::unexpected(CommandError(command_error::kInvalidInfo, error.message));
}

}  // namespace hearth::api
