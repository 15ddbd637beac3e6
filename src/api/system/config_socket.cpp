// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "api/accounts/account_reply.h"
#include "api/gateway/message_reader.h"
#include "api/rows.h"
#include "api/system/configuration.h"
#include "api/system/home_settings.h"

namespace hearth::api {
namespace {

// Settings that can be changed while the hub runs; the values of the last may be null for none.
constexpr std::string_view kTexts[] = {"location_name", "time_zone", "unit_system", "currency", "language"};
constexpr std::string_view kNumbers[] = {"latitude", "longitude", "elevation"};
constexpr std::string_view kTextsOrNone[] = {"country", "internal_url", "external_url"};

base::Result<base::ConfigNode> read_changes(const json::object& message) {
  base::ConfigNode::Map changes;
  const auto add = [&](std::string_view key, const std::optional<std::string>& value) {
    std::string name(key);
    if (value) changes.push_back({name, base::ConfigNode({{}, 0, name}, *value)});
  };
  MessageReader in(message);
  for (const std::string_view key : kTexts) {
    std::optional<std::string> text;
    in.optional(key, text);
    add(key, text);
  }
  for (const std::string_view key : kNumbers) {
    std::optional<std::string> number;
    in.optional_number(key, number);
    add(key, number);
  }
  for (const std::string_view key : kTextsOrNone) {
    std::optional<std::optional<std::string>> text;
    in.change(key, text);
    if (text) add(key, text->value_or(""));
  }
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  if (!changes.empty()) return base::ConfigNode({}, std::move(changes));
  return base::fail(base::ErrorCode::invalid,
                    fmt::format("Expected at least one of {}, {} and {}.", fmt::join(kTexts, ", "),
                                fmt::join(kNumbers, ", "), fmt::join(kTextsOrNone, ", ")));
}

CommandResult get_config(const CommandCall& call) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  json::object config = configuration(call.home);
  // By these another Hearth knows this hub, and itself.
  config["hearth_uuid"] = config.at("uuid");
  config["hearth_version"] = config.at("version");
  return base::to_json(config);
}

// Fails with invalid_info.
void update_core_config(const CommandCall& call, CommandReply reply) {
  auto changes = read_changes(call.message);
  if (!changes) return reply.send(std::unexpected(changes.error()));
  reply_from_accounts(call.gate, std::move(reply),
                      [&settings = call.settings, changes = std::move(*changes),
                       context = call.context()](auth::AccountStore&) -> CommandResult {
                        const auto changed = settings.change(changes, context);
                        if (changed) return "null";
                        if (changed.error().code != base::ErrorCode::conflict) return account_failure(changed.error());
                        return std::unexpected(CommandError(command_error::kInvalidInfo, changed.error().message));
                      });
}

}  // namespace

constexpr Command kConfigCommandRows[] = {
    {"get_config", Access::user, get_config, Durable::no},
    {"config/core/update", Access::admin, update_core_config, Durable::no},
};
constexpr Commands kConfigCommands = kConfigCommandRows;

}  // namespace hearth::api
