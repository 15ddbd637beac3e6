// SPDX-License-Identifier: Apache-2.0
// audit/list: what the audit log has, for administrators.
#include "api/gateway/message_reader.h"
#include "api/parts.h"
#include "api/rows.h"
#include "audit/chain.h"
#include "base/text/timestamp.h"

namespace hearth::api {
namespace {

constexpr std::int64_t kMostRows = 200;

json::value filled_or_null(const std::string& text) {
  return text.empty() ? json::value() : json::value(text);
}

json::object row_object(const audit::Row& row) {
  const audit::Entry& entry = row.entry;
  return {{"number", row.number},
          {"time", base::to_string(row.time)},
          {"what", entry.what},
          {"subject", filled_or_null(entry.subject)},
          {"user_id", filled_or_null(entry.user_id)},
          {"user", filled_or_null(entry.user)},
          {"address", filled_or_null(entry.address)},
          {"client", filled_or_null(entry.client)},
          {"before", filled_or_null(entry.before)},
          {"after", filled_or_null(entry.after)},
          {"count", entry.count},
          {"hash", row.hash}};
}

CommandResult page_result(const base::Result<audit::Log::Page>& page) {
  if (!page) return std::unexpected(CommandError(page.error()));
  json::array rows;
  for (const audit::Row& row : page->rows) rows.push_back(row_object(row));
  const bool empty = page->extent.rows == 0;
  return base::to_json(
      json::object{{"rows", std::move(rows)},
                   {"total", page->extent.rows},
                   {"oldest", empty ? json::value() : json::value(base::to_string(page->extent.oldest))},
                   {"bytes", page->extent.bytes},
                   {"head", audit::to_string(page->head)}});
}

void list_rows(const CommandCall& call, CommandReply reply) {
  std::int64_t before = INT64_MAX, limit = kMostRows;
  MessageReader in(call.message);
  in.optional("before", before, 1);
  in.optional("limit", limit, 1, kMostRows);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  if (!call.parts.audit)
    return reply.send(std::unexpected(CommandError(command_error::kHomeAssistantError, "This hub has no audit log.")));
  const auto shared = std::make_shared<CommandReply>(std::move(reply));
  const bool asked =
      call.parts.audit->read(before, static_cast<std::size_t>(limit),
                             [shared](const base::Result<audit::Log::Page>& page) { shared->send(page_result(page)); });
  if (!asked) {
    shared->send(std::unexpected(
        CommandError(command_error::kHomeAssistantError, "Too many read the audit log now. Try again soon.")));
  }
}

}  // namespace

constexpr Command kAuditCommandRows[] = {{"audit/list", Access::admin, list_rows, Durable::no}};
constexpr Commands kAuditCommands = kAuditCommandRows;

}  // namespace hearth::api
