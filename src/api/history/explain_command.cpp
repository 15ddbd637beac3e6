// SPDX-License-Identifier: Apache-2.0
// automation/explain.
#include "api/history/explain_command.h"
#include "api/gateway/message_reader.h"
#include "api/gateway/piece_reply.h"
#include "api/history/explanation.h"
#include "api/records.h"
#include "base/timestamp.h"
#include "core/entity_id.h"

namespace hearth::api {

void automation_commands::explain(const CommandCall& call, CommandReply reply) {
  std::string entity;
  std::optional<std::string> when;
  MessageReader in(call.message);
  in.required("entity_id", entity);
  in.optional("at", when);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  base::Timestamp at = call.home.clock().now();
  if (when) {
    const auto parsed = base::parse_timestamp(*when);
    if (!parsed)
      return reply.send(std::unexpected(CommandError(command_error::kInvalidFormat, "at: expected a time.")));
    at = std::min(at, *parsed);
  }
  const auto id = core::EntityId::parse(entity);
  if (!id || !call.home.reads(id->str()))
    return reply.send(std::unexpected(CommandError(command_error::kNotFound, "There is no such entity.")));
  const auto explanation = std::make_shared<Explanation>(
      std::string(id->str()), at, call.home.registry(),
      Explanation::Caller{std::string(call.caller->user->id), call.caller->user->display_name});
  reply_with_pieces(
      call, std::move(reply), entity.size(),
      [explanation](recorder::HistoryReader& reader, std::string& out, std::size_t) -> base::Result<bool> {
        const auto explained = explanation->explain(reader);
        if (!explained) return std::unexpected(explained.error());
        out += base::to_json(*explained);
        return false;
      });
}

}  // namespace hearth::api
