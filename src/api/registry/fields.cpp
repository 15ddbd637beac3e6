// SPDX-License-Identifier: Apache-2.0
#include "api/registry/fields.h"

#include <fmt/format.h>

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

std::unexpected<CommandError> registry_error(const base::Error& error) {
  const bool refused = error.code == base::ErrorCode::invalid || error.code == base::ErrorCode::conflict;
  return std::unexpected(refused ? CommandError(command_error::kInvalidInfo, error.message) : CommandError(error));
}

std::unexpected<CommandError> area_error(const base::Error& error) {
  if (error.code != base::ErrorCode::not_found) return registry_error(error);
  return std::unexpected(CommandError(command_error::kInvalidInfo, error.message));
}

}  // namespace hearth::api
