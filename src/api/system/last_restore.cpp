// SPDX-License-Identifier: Apache-2.0
// hearth/last_restore
#include "api/gateway/message_reader.h"
#include "api/parts.h"
#include "api/rows.h"
#include "backup/restore.h"

namespace hearth::api {
namespace {

void last_restore(const CommandCall& call, CommandReply reply) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  if (!call.parts.backups) return reply.send("null");
  auto shared = std::make_shared<CommandReply>(std::move(reply));
  call.parts.backups->last_restore([shared](const base::Result<std::optional<backup::Restored>>& last) {
    if (!last) return shared->send(std::unexpected(CommandError(last.error())));
    if (!*last) return shared->send("null");
    const backup::Restored& one = **last;
    shared->send(
        base::to_json(json::object{{"backup", one.backup},
                                   {"created", one.created},
                                   {"version", one.version},
                                   {"home", one.home},
                                   {"asked_at", one.asked_at},
                                   {"asked_by", one.asked_by.empty() ? json::value() : json::value(one.asked_by)},
                                   {"before", one.before}}));
  });
}

}  // namespace

constexpr Command kLastRestoreCommandRows[] = {
    {"hearth/last_restore", Access::admin, last_restore, Durable::no},
};
constexpr Commands kLastRestoreCommands = kLastRestoreCommandRows;

}  // namespace hearth::api
