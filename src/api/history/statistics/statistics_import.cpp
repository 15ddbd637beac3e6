// SPDX-License-Identifier: Apache-2.0
// The commands that import statistics and change what was imported.
#include "api/history/statistics/statistics_import.h"

#include "api/gateway/message_reader.h"
#include "api/history/statistics/imported_periods.h"
#include "api/parts.h"
#include "api/rows.h"
#include "base/text/timestamp.h"
#include "core/values/entity_filter.h"

namespace hearth::api {
namespace {

using recorder::ImportedStatistics;

std::unexpected<CommandError> refusal(std::string_view code, std::string text) {
  return std::unexpected(CommandError(code, std::move(text)));
}

// Runs the work on the thread of history, and answers null unless it fails.
void change_imports(const CommandCall& call, CommandReply reply,
                    std::function<base::Result<void>(ImportedStatistics& imported)> work) {
  ImportedStatistics* const imported = call.parts.imported;
  recorder::History* const history = call.parts.history;
  if (!imported || !history) return reply.send(refusal(command_error::kUnknownError, "This hub keeps no history."));
  const auto answer = std::make_shared<CommandReply>(std::move(reply));
  const bool posted = history->post([imported, answer, work = std::move(work)](recorder::HistoryReader&) {
    const auto done = work(*imported);
    if (done)
      answer->send("null");
    else
      answer->send(std::unexpected(CommandError(done.error())));
  });
  if (!posted) answer->send(refusal(command_error::kUnknownError, "The hub has too many questions about history."));
}

base::Result<void> known(const base::Result<bool>& changed, const std::string& statistic_id) {
  if (!changed) return std::unexpected(changed.error());
  if (*changed) return {};
  return base::fail(base::ErrorCode::not_found, statistic_id + ": nothing was imported under this id");
}

void import_statistics(const CommandCall& call, CommandReply reply) {
  json::object metadata;
  json::value stats;
  MessageReader in(call.message);
  in.required("metadata", metadata);
  in.required_value("stats", stats);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  if (!stats.is_array()) return reply.send(refusal(command_error::kInvalidFormat, "stats: expected a list."));
  auto import = recorder::parse_statistics_import(metadata, stats.get_array());
  if (!import) return reply.send(refusal(command_error::kInvalidFormat, import.error().message));
  change_imports(call, std::move(reply),
                 [import = std::move(*import)](ImportedStatistics& imported) { return imported.import(import); });
}

// Fails with not_found.
void clear_statistics(const CommandCall& call, CommandReply reply) {
  std::optional<std::vector<std::string>> ids;
  MessageReader in(call.message);
  in.optional("statistic_ids", ids);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  if (!ids) return reply.send(refusal(command_error::kInvalidFormat, "statistic_ids: missing; expected a list."));
  if (auto few = core::bound_list(*ids, "statistic_ids", call.home.limits()); !few)
    return reply.send(std::unexpected(few.error()));
  change_imports(call, std::move(reply), [ids = std::move(*ids)](ImportedStatistics& imported) -> base::Result<void> {
    for (const std::string& id : ids) {
      if (auto done = known(imported.remove(id), id); !done) return done;
    }
    return {};
  });
}

// Fails with not_found.
void adjust_sum_statistics(const CommandCall& call, CommandReply reply) {
  std::string statistic_id, start_time;
  json::value adjustment;
  std::optional<std::string> unit;
  MessageReader in(call.message);
  in.required("statistic_id", statistic_id);
  in.required("start_time", start_time);
  in.required_value("adjustment", adjustment);
  in.optional("adjustment_unit_of_measurement", unit);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  const auto start = base::parse_timestamp(start_time);
  if (!start) return reply.send(refusal("invalid_start_time", "Invalid start time"));
  if (!adjustment.is_number())
    return reply.send(refusal(command_error::kInvalidFormat, "adjustment: expected a number."));
  change_imports(call, std::move(reply),
                 [statistic_id, start = *start, by = adjustment.to_number<double>(),
                  unit](ImportedStatistics& imported) -> base::Result<void> {
                   const auto found = imported.find(statistic_id);
                   if (!found) return std::unexpected(found.error());
                   if (*found && unit && unit != (*found)->unit)
                     return base::fail(base::ErrorCode::invalid,
                                       "adjustment_unit_of_measurement: expected the unit of the statistics");
                   return known(imported.adjust_sum(statistic_id, start, by), statistic_id);
                 });
}

}  // namespace

void change_imported_unit(const CommandCall& call, const std::string& statistic_id, std::optional<std::string> unit,
                          CommandReply reply) {
  change_imports(call, std::move(reply), [statistic_id, unit = std::move(unit)](ImportedStatistics& imported) {
    return known(imported.set_unit(statistic_id, unit), statistic_id);
  });
}

constexpr Command kStatisticsImportCommandRows[] = {
    {"recorder/import_statistics", Access::admin, import_statistics, Durable::no},
    {"recorder/clear_statistics", Access::admin, clear_statistics, Durable::no},
    {"recorder/adjust_sum_statistics", Access::admin, adjust_sum_statistics, Durable::no},
};
constexpr Commands kStatisticsImportCommands = kStatisticsImportCommandRows;

}  // namespace hearth::api
