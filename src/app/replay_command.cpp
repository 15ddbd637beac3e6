// SPDX-License-Identifier: Apache-2.0
#include "app/replay_command.h"

#include <fmt/format.h>

#include <memory>
#include <ostream>

#include "app/config_folder.h"
#include "app/scenario_files.h"
#include "base/log.h"
#include "domains/local_time.h"
#include "recorder/past_file.h"
#include "simulation/replay.h"
#include "template/custom_templates.h"

namespace hearth::app {
namespace {

struct ReplayOptions {
  std::string from, to;
  std::vector<std::string> automations;
  bool json = false;
};

constexpr auto kLongestReplay = std::chrono::days(366);

base::Result<recorder::Span> span_of(const ReplayOptions& options, const std::string& zone) {
  const auto from = domains::parse_local_time(options.from, zone);
  if (!from) return base::fail(base::ErrorCode::invalid, "--from: " + from.error().message);
  const auto to = domains::parse_local_time(options.to, zone);
  if (!to) return base::fail(base::ErrorCode::invalid, "--to: " + to.error().message);
  if (*to <= *from) return base::fail(base::ErrorCode::invalid, "--to must be later than --from.");
  if (*to - *from > kLongestReplay) return base::fail(base::ErrorCode::invalid, "The time is longer than 366 days.");
  return recorder::Span{*from, *to};
}

simulation::Past past_of(const recorder::PastSpan& read, recorder::Span span) {
  simulation::Past past{span.start, span.end, read.entities, {}, {}, {}};
  const auto changes = [](const std::vector<recorder::PastSpan::Row>& rows) {
    std::vector<simulation::Past::Change> all;
    all.reserve(rows.size());
    for (const auto& [entity, change, order] : rows)
      all.push_back({change.updated, static_cast<std::uint32_t>(entity), change.removed, change.value,
                     change.attributes, change.context_id, change.parent_id, change.user_id});
    return all;
  };
  past.first = changes(read.first);
  past.changes = changes(read.changes);
  for (const auto& event : read.events)
    past.events.push_back({event.fired, event.type, event.data, std::string(event.context.id.str()),
                           event.context.parent_id ? std::string(event.context.parent_id->str()) : std::string()});
  return past;
}

base::Result<simulation::Comparison> compare(const CommandContext& context, const ReplayOptions& options) {
  const auto folder = config_folder(context.config);
  if (!folder) return std::unexpected(folder.error());
  base::set_log_level(base::LogLevel::error);
  templates::CustomTemplates custom(*folder / "custom_templates");
  static_cast<void>(custom.reload());
  const ScenarioFiles files(*folder, known_integrations(context.integrations));
  if (!files.settings()) {
    context.err << files.settings().error().message << '\n';
    return base::fail(base::ErrorCode::invalid, "The configuration is not valid.");
  }
  const auto span = span_of(options, files.home().time_zone);
  if (!span) return std::unexpected(span.error());
  const auto read = recorder::read_past(*folder / "history.db", *span);
  if (!read) return std::unexpected(read.error());
  return simulation::replay(files.settings()->automations, files.home(), past_of(*read, *span), options.automations,
                            [&custom] { return custom.texts(); });
}

base::Result<void> replay(CommandContext& context, const ReplayOptions& options) {
  constexpr int kCannotBeDone = 2;  // the exit code
  const auto comparison = compare(context, options);
  if (!comparison) {
    context.failed_code = kCannotBeDone;
    return std::unexpected(comparison.error());
  }
  if (options.json) {
    context.out << base::to_json(simulation::to_json_object(*comparison)) << '\n';
  } else {
    for (const std::string& fault : comparison->faults) context.err << fault << '\n';
    context.out << simulation::to_text(*comparison);
  }
  context.out.flush();
  if (comparison->differences.empty()) return {};
  return base::fail(base::ErrorCode::invalid, fmt::format("{} would differ.", comparison->differences.size()));
}

}  // namespace

void add_replay_command(CLI::App& group, CommandContext& context) {
  CLI::App& command = *group.add_subcommand("replay", "Run recorded history through the automations as they are now");
  add_config_option(command, context);
  const auto options = std::make_shared<ReplayOptions>();
  command.add_option("--from", options->from, "Since when: a local time such as 2026-03-28T23:00")
      ->required()
      ->type_name("TIME");
  command.add_option("--to", options->to, "Until when")->required()->type_name("TIME");
  command.add_option("AUTOMATION", options->automations, "Those to compare, by entity id or alias (default: all)");
  command.add_flag("--json", options->json, "Print a JSON object");
  command.callback(
      [&context, options] { context.command = [&context, options] { return replay(context, *options); }; });
}

}  // namespace hearth::app
