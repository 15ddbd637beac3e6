// SPDX-License-Identifier: Apache-2.0
#include "app/commands/replay_command.h"

#include <fmt/format.h>

#include <array>
#include <istream>
#include <memory>
#include <ostream>

#include "app/commands/scenario_files.h"
#include "app/files/configuration_file.h"
#include "app/settings/config_folder.h"
#include "automation/config/item_node.h"
#include "base/log/log.h"
#include "domains/entities/local_time.h"
#include "recorder/past_file.h"
#include "simulation/replay.h"
#include "template/language/custom_templates.h"

namespace hearth::app {
namespace {

struct ReplayOptions {
  std::string from, to;
  std::vector<std::string> automations;
  std::string edited;  // a file; - is the standard input
  std::size_t limit = SIZE_MAX;
  bool json = false, progress = false;
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

std::vector<simulation::Past::Change> changes_of(const std::vector<recorder::PastFile::Row>& rows) {
  std::vector<simulation::Past::Change> all;
  all.reserve(rows.size());
  for (const auto& [entity, change, order] : rows)
    all.push_back({change.updated, static_cast<std::uint32_t>(entity), change.removed, change.value, change.attributes,
                   change.context_id, change.parent_id, change.user_id});
  return all;
}

// The file must outlive it.
simulation::Past past_of(recorder::PastFile& file) {
  simulation::Past past{file.span().start,
                        file.span().end,
                        file.entities(),
                        changes_of(file.first()),
                        file.known_since(),
                        file.kept_since(),
                        {}};
  past.next = [&file]() -> base::Result<std::optional<simulation::Past::Slice>> {
    if (file.at_end()) return std::nullopt;
    auto read = file.next();
    if (!read) return std::unexpected(std::move(read.error()));
    simulation::Past::Slice slice{.until = read->until, .changes = changes_of(read->changes), .events = {}};
    for (auto& event : read->events)
      slice.events.push_back({event.fired, std::move(event.type), std::move(event.data),
                              std::string(event.context.id.str()),
                              event.context.parent_id ? std::string(event.context.parent_id->str()) : std::string()});
    slice.texts = std::make_shared<const decltype(read->lists)>(std::move(read->lists));
    return slice;
  };
  return past;
}

// Prints {"progress": 0.25} for each slice.
std::function<void(base::Timestamp)> progress_on(std::ostream& out, recorder::Span span) {
  return [&out, span](base::Timestamp reached) {
    const double part = static_cast<double>((reached - span.start).count()) / (span.end - span.start).count();
    out << base::to_json(json::object{{"progress", part}}) << std::endl;
  };
}

base::Result<std::string> read_edited(CommandContext& context, const std::string& file) {
  if (file != "-") return read_text_file(file);
  std::string text;
  std::array<char, 4096> block;
  while (context.in.read(block.data(), block.size()) || context.in.gcount() > 0) {
    text.append(block.data(), static_cast<std::size_t>(context.in.gcount()));
    if (text.size() > automation::kMaxItemBytes)
      return base::fail(base::ErrorCode::invalid, "The automation is larger than 1 MiB.");
  }
  return text;
}

base::Result<simulation::Comparison> compare(CommandContext& context, const ReplayOptions& options) {
  const auto folder = config_folder(context.config);
  if (!folder) return std::unexpected(folder.error());
  base::set_log_level(base::LogLevel::error);
  templates::CustomTemplates custom(*folder / "custom_templates");
  static_cast<void>(custom.reload());
  ScenarioFiles files(*folder, known_integrations(context.integrations));
  if (!files.settings()) {
    context.err << files.settings().error().message << '\n';
    return base::fail(base::ErrorCode::invalid, "The configuration is not valid.");
  }
  const auto span = span_of(options, files.home().time_zone);
  if (!span) return std::unexpected(span.error());
  simulation::Question question{.names = options.automations};
  if (!options.edited.empty()) {
    const auto text = read_edited(context, options.edited);
    if (!text) return std::unexpected(text.error());
    auto id = files.put_edited(*text);
    if (!id) return std::unexpected(id.error());
    question.edited = std::move(*id);
  }
  if (options.progress) question.progress = progress_on(context.out, *span);
  const auto file = recorder::PastFile::open(*folder / "history.db", *span);
  if (!file) return std::unexpected(file.error());
  simulation::Past past = past_of(**file);
  // A purge may have removed states that a template asks for, although others of the home are still known from before.
  if (const auto keep = files.settings()->recorder.retention.keep; keep != recorder::Retention::kForever)
    past.kept_since = std::max(past.kept_since, base::SystemClock().now() - keep);
  return simulation::replay(
      {files.settings()->automations, files.home(), [&custom] { return custom.texts(); }, files.registered()}, past,
      question);
}

base::Result<void> replay(CommandContext& context, const ReplayOptions& options) {
  constexpr int kCannotBeDone = 2;  // the exit code
  const auto comparison = compare(context, options);
  if (!comparison) {
    context.failed_code = kCannotBeDone;
    return std::unexpected(comparison.error());
  }
  if (options.json) {
    context.out << base::to_json(simulation::to_json_object(*comparison, options.limit)) << '\n';
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
  command
      .add_option("--with", options->edited,
                  "A file with one automation, in place of the configuration's with its id; only it is compared")
      ->type_name("FILE");
  command.add_option("--limit", options->limit, "Print at most so many differences as JSON (default: all)")
      ->type_name("N");
  command.add_flag("--progress", options->progress, "With --json: first a line for each part of the time");
  command.add_flag("--json", options->json, "Print a JSON object");
  command.callback(
      [&context, options] { context.command = [&context, options] { return replay(context, *options); }; });
}

}  // namespace hearth::app
