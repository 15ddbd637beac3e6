// SPDX-License-Identifier: Apache-2.0
// backup/info, with the keys of older and newer pages of this family.
#include "api/gateway/message_reader.h"
#include "api/parts.h"
#include "api/rows.h"
#include "base/text/timestamp.h"

namespace hearth::api {
namespace {

constexpr std::string_view kAgent = "backup.local";  // the hub's own folder

json::object described_for_pages(const backup::BackupInfo& backup) {
  const json::object kept{{"size", backup.bytes}, {"protected", backup.encrypted}};
  return {{"backup_id", backup.name},
          {"slug", backup.name},
          {"name", backup.name},
          {"date", base::to_string(backup.created)},
          {"size", static_cast<double>(backup.bytes) / (1024 * 1024)},
          {"protected", backup.encrypted},
          {"agents", {{kAgent, kept}}},
          {"addons", json::array()},
          {"folders", json::array()},
          {"failed_agent_ids", json::array()},
          {"extra_metadata", json::object()},
          {"with_automatic_settings", nullptr},
          {"homeassistant_included", true},
          {"homeassistant_version", backup.version},
          {"database_included", true}};
}

CommandResult backup_agents(const CommandCall& call) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  const json::object agent{{"agent_id", kAgent}, {"name", "local"}};
  return base::to_json(json::object{{"agents", json::array{agent}}});
}

void backup_info(const CommandCall& call, CommandReply reply) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  if (!call.parts.backups)
    return reply.send(std::unexpected(CommandError(command_error::kHomeAssistantError, "This hub makes no backups.")));
  auto shared = std::make_shared<CommandReply>(std::move(reply));
  call.parts.backups->list([shared](const base::Result<std::vector<backup::BackupInfo>>& found) {
    if (!found) return shared->send(std::unexpected(CommandError(found.error())));
    json::array list;
    for (const backup::BackupInfo& one : *found) list.push_back(described_for_pages(one));
    shared->send(base::to_json(json::object{{"backups", std::move(list)},
                                            {"agent_errors", json::object()},
                                            {"last_attempted_automatic_backup", nullptr},
                                            {"last_completed_automatic_backup", nullptr},
                                            {"last_action_event", nullptr},
                                            {"next_automatic_backup", nullptr},
                                            {"next_automatic_backup_additional", false},
                                            {"state", "idle"},
                                            {"backing_up", false}}));
  });
}

}  // namespace

constexpr Command kBackupCommandRows[] = {
    {"backup/info", Access::admin, backup_info, Durable::no},
    {"backup/agents/info", Access::admin, backup_agents, Durable::no},
};
constexpr Commands kBackupCommands = kBackupCommandRows;

}  // namespace hearth::api
