// SPDX-License-Identifier: Apache-2.0
#include "app/commands/audit_commands.h"

#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <ostream>

#include "app/commands/text_table.h"
#include "app/settings/config_folder.h"
#include "app/settings/settings.h"
#include "audit/audit_file.h"
#include "audit/chain.h"
#include "audit/kinds.h"
#include "base/json/json.h"
#include "base/text/timestamp.h"

namespace hearth::app {
namespace {

using audit::AuditFile;
using base::Result;

struct AuditOptions {
  std::size_t limit = 50;
  std::string head;
};

Result<AuditFile> open_log(const CommandContext& context) {
  const auto folder = config_folder(context.config);
  if (!folder) return std::unexpected(folder.error());
  const auto file = *folder / audit::kFileName;
  std::error_code absent;
  if (std::filesystem::exists(file, absent)) return AuditFile::open_to_read(file);
  return base::fail(base::ErrorCode::not_found,
                    fmt::format("{}: there is no audit log; a hub begins it when it starts", file.native()));
}

std::string or_dash(const std::string& text) {
  return text.empty() ? "-" : text;
}

Result<void> list(CommandContext& context, const AuditOptions& options) {
  auto log = open_log(context);
  if (!log) return std::unexpected(std::move(log.error()));
  auto rows = log->rows_before(std::numeric_limits<std::int64_t>::max(), options.limit);
  if (!rows) return std::unexpected(std::move(rows.error()));
  std::ranges::reverse(*rows);
  std::vector<std::vector<std::string>> table{{"ROW", "TIME (UTC)", "USER", "WHAT", "SUBJECT", "TIMES", "FROM"}};
  for (const audit::Row& row : *rows) {
    std::string time = base::to_string(row.time).substr(0, 19);
    time[10] = ' ';
    table.push_back({fmt::format("{}", row.number), std::move(time), or_dash(row.entry.user), row.entry.what,
                     or_dash(row.entry.subject), fmt::format("{}", row.entry.count), or_dash(row.entry.address)});
  }
  context.out << format_table(table);
  return {};
}

Result<void> verify(CommandContext& context, const AuditOptions& options) {
  std::optional<audit::Head> expected;
  if (!options.head.empty()) {
    auto head = audit::parse_head(options.head);
    if (!head) return std::unexpected(std::move(head.error()));
    expected = std::move(*head);
  }
  auto log = open_log(context);
  if (!log) return std::unexpected(std::move(log.error()));
  const auto verdict = log->verify(expected);
  if (!verdict) return std::unexpected(verdict.error());
  if (verdict->problem)
    return base::fail(base::ErrorCode::invalid, fmt::format("The audit log was tampered with: {}.", *verdict->problem));
  context.out << fmt::format("{} rows, the chain is whole.\nHead: {}\n", verdict->rows, to_string(verdict->head));
  return {};
}

Result<void> write_out(CommandContext& context, const AuditOptions&) {
  auto log = open_log(context);
  if (!log) return std::unexpected(std::move(log.error()));
  return log->for_each([&](const audit::Row& row) {
    const audit::Entry& entry = row.entry;
    context.out << base::to_json(json::object{{"number", row.number},
                                              {"time", base::to_string(row.time)},
                                              {"microseconds", row.time.time_since_epoch().count()},
                                              {"count", entry.count},
                                              {"what", entry.what},
                                              {"subject", entry.subject},
                                              {"user_id", entry.user_id},
                                              {"user", entry.user},
                                              {"address", entry.address},
                                              {"client", entry.client},
                                              {"before", entry.before},
                                              {"after", entry.after},
                                              {"hash", row.hash}})
                << '\n';
    return context.out.good();
  });
}

std::string system_user() {
  const passwd* const found = ::getpwuid(::getuid());
  return found ? found->pw_name : fmt::format("uid {}", ::getuid());
}

bool is_required(const CommandContext& context, const std::filesystem::path& folder) {
  const auto settings = load_settings_to_start(folder, known_integrations(context.integrations), LastGood(folder));
  return !settings || settings->audit.required;
}

}  // namespace

Result<void> record_command(const CommandContext& context, const std::filesystem::path& folder, std::string command) {
  auto log = AuditFile::open(folder / audit::kFileName);
  const audit::Entry entries[] = {{.what = std::string(audit::kind::kCommandLine),
                                   .subject = std::move(command),
                                   .user = system_user(),
                                   .client = "command line"}};
  base::Error why;
  if (!log)
    why = std::move(log.error());
  else if (auto appended = log->append(entries, context.clock.now()); !appended)
    why = std::move(appended.error());
  else
    return {};
  if (!is_required(context, folder)) return {};
  return base::fail(base::ErrorCode::unavailable,
                    "Nothing was changed, because the audit log cannot be written: " + why.message);
}

void add_audit_commands(CLI::App& app, CommandContext& context) {
  CLI::App& group = *app.add_subcommand("audit", "Who changed what, in the audit log");
  group.require_subcommand(1);
  const auto add = [&](const char* name, const char* description, auto action) {
    CLI::App& command = *group.add_subcommand(name, description);
    const auto options = std::make_shared<AuditOptions>();
    add_config_option(command, context);
    command.callback([&context, options, action] {
      context.command = [&context, options, action] { return action(context, *options); };
    });
    return std::pair<CLI::App*, std::shared_ptr<AuditOptions>>(&command, options);
  };
  const auto listed = add("list", "Show the latest rows", list);
  listed.first->add_option("--limit", listed.second->limit, "How many")
      ->check(CLI::Range(1, 100'000))
      ->type_name("N")
      ->capture_default_str();
  const auto verified = add("verify", "Check that no row was changed, removed or added, and print the head", verify);
  verified.first
      ->add_option("--head", verified.second->head,
                   "A head that was written down, such as a backup's: the log must still have its row")
      ->type_name("HEAD");
  add("export", "Write all rows to standard output, a JSON object a line", write_out);
}

}  // namespace hearth::app
