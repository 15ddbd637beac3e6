// SPDX-License-Identifier: Apache-2.0
#include "app/commands/import_command.h"

#include <fmt/format.h>
#include <sys/prctl.h>

#include <charconv>
#include <csignal>
#include <fstream>
#include <memory>
#include <ostream>

#include "app/commands/audit_commands.h"
#include "app/commands/interruption.h"
#include "app/commands/password_prompt.h"
#include "app/folder_lock.h"
#include "app/import_ha/import_hooks.h"
#include "app/settings/config_folder.h"
#include "app/version.h"
#include "backup/file.h"
#include "base/log/log.h"
#include "import_ha/import.h"

namespace hearth::app {
namespace {

namespace fs = std::filesystem;
using base::ErrorCode;
using base::Result;

constexpr int kWrongSource = 2, kNotStrict = 3;  // exit codes
constexpr int kMostDays = 36'500;

struct ImportArguments {
  std::string source, only, history = "all", automations = "as-they-were", report;
  bool dry_run = false, no_credentials = false, side_by_side = false, into_existing = false, accept_newer = false;
  bool passphrase_stdin = false, json = false, progress = false, strict = false, prepare = false;
};

std::unexpected<base::Error> wrong_argument(CommandContext& context, std::string message) {
  context.failed_code = kWrongSource;
  return base::fail(ErrorCode::invalid, std::move(message));
}

// all, none, later, or a number of days: 30d.
bool read_history(std::string_view text, import_ha::ImportOptions& options) {
  options.history = text != "none";
  options.history_later = text == "later";
  if (text == "all" || text == "none" || text == "later") return true;
  int days = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), days);
  if (error != std::errc() || std::string_view(end, text.data() + text.size()) != "d" || days < 1 || days > kMostDays)
    return false;
  options.last = std::chrono::days(days);
  return true;
}

// True if something was left for another reason than that this hub has nothing of the kind.
bool is_strict_failure(const import_ha::Report& report) {
  if (report.lost() > 0) return true;
  return std::ranges::any_of(report.things(), [](const import_ha::Thing& thing) {
    using import_ha::Why;
    return thing.fate == import_ha::Fate::left && (thing.why == Why::broken || thing.why == Why::unknown_version ||
                                                   thing.why == Why::duplicate || thing.why == Why::out_of_range);
  });
}

Result<void> tell(CommandContext& context, const ImportArguments& arguments, const json::object& report,
                  const std::string& text) {
  if (!arguments.report.empty()) {
    std::ofstream file(arguments.report, std::ios::binary | std::ios::trunc);
    file << base::to_json(report) << '\n';
    file.close();
    if (!file)
      return base::fail(ErrorCode::unavailable, fmt::format("The report cannot be written to {}.", arguments.report));
  }
  if (arguments.json)
    context.out << base::to_json(report) << '\n';
  else
    context.out << text;
  return {};
}

// A line of JSON for programs, or of words.
void show_progress(CommandContext& context, bool json_lines, std::string_view step, std::uint64_t done,
                   std::uint64_t of) {
  if (json_lines)
    context.err << base::to_json(json::object{{"step", step}, {"done", done}, {"of", of}}) << std::endl;
  else if (of > 0)
    context.err << fmt::format("{}: {} of {}\n", step, done, of);
  else
    context.err << fmt::format("{}\n", step);
}

Result<import_ha::ImportOptions> options_of(CommandContext& context, const ImportArguments& arguments) {
  import_ha::ImportOptions options;
  std::error_code error;
  options.source = fs::absolute(arguments.source, error).lexically_normal();
  if (!options.source.has_filename()) options.source = options.source.parent_path();
  if (!arguments.dry_run || !context.config.empty()) {
    auto folder = config_folder(context.config);
    if (!folder) return std::unexpected(std::move(folder.error()));
    options.home = std::move(*folder);
  }
  auto steps = import_ha::parse_steps(arguments.only);
  if (!steps) return wrong_argument(context, steps.error().message);
  options.only = std::move(*steps);
  if (!read_history(arguments.history, options)) {
    return wrong_argument(context, fmt::format("--history: expected all, none, later or a number of days such as 30d, "
                                               "got {}",
                                               arguments.history));
  }
  if (arguments.automations != "as-they-were" && arguments.automations != "off") {
    return wrong_argument(context,
                          fmt::format("--automations: expected as-they-were or off, got {}", arguments.automations));
  }
  options.dry_run = arguments.dry_run;
  options.credentials = !arguments.no_credentials;
  options.automations_off = arguments.side_by_side || arguments.automations == "off";
  options.side_by_side = arguments.side_by_side;
  options.into_existing = arguments.into_existing;
  options.accept_newer = arguments.accept_newer;
  options.prepare_only = arguments.prepare;
  options.now = context.clock.now();
  options.version = version();
  if (arguments.passphrase_stdin) {
    auto passphrase = read_passphrase(context.in);
    if (!passphrase) return std::unexpected(std::move(passphrase.error()));
    options.passphrase = std::move(*passphrase);
  }
  return options;
}

Result<void> import(CommandContext& context, const ImportArguments& arguments) {
  // The hub that has started it reads what it prints.
  if (arguments.prepare) ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  auto options = options_of(context, arguments);
  if (!options) return std::unexpected(std::move(options.error()));
  std::optional<FolderLock> lock;
  if (!options->dry_run) {
    if (auto made = make_config_folder(options->home); !made) return made;
    const fs::path partial = options->home / import_ha::kPartialFolder;
    if (options->prepare_only) {
      if (auto made = backup::make_private_folder(partial); !made) return made;
    }
    auto locked = FolderLock::lock(options->prepare_only ? partial : options->home);
    if (!locked) {
      return base::fail(ErrorCode::conflict,
                        options->prepare_only ? std::string("Another import into this home is under way.")
                                              : fmt::format("A hub runs with {}; stop it first: systemctl stop hearth.",
                                                            options->home.string()));
    }
    lock.emplace(std::move(*locked));
  }
  const auto integrations = known_integrations(context.integrations);
  import_ha::ImportHooks hooks = import_hooks(integrations);
  const Interruption interruption;
  hooks.go_on = [&] { return interruption.none(); };
  if (arguments.progress) {
    hooks.progress = [&](std::string_view step, std::uint64_t done, std::uint64_t of) {
      show_progress(context, arguments.json, step, done, of);
    };
  }
  import_ha::Report report;
  const auto imported = import_ha::run_import(*options, hooks, report);
  if (!imported) {
    if (imported.error().code == ErrorCode::invalid) context.failed_code = kWrongSource;
    return std::unexpected(imported.error());
  }
  if (imported->unchanged && options->prepare_only) {
    return base::fail(ErrorCode::conflict, fmt::format("{} was imported before, and has not changed since.",
                                                       options->source.filename().string()));
  }
  if (imported->unchanged) {
    return tell(context, arguments, imported->report,
                fmt::format("{} was imported before, and has not changed since: nothing was done.\n",
                            options->source.string()));
  }
  std::string text = report.to_text();
  if (!options->dry_run) {
    static_cast<void>(record_command(context, options->home, "import-ha " + options->source.filename().string()));
    text += options->prepare_only ? "\nThe home is exchanged at the next start of the hub.\n"
                                  : fmt::format("\nThe home is in {}.\n", options->home.string());
    std::error_code error;  // a folder with nothing in it tells nobody anything
    const fs::path before = options->home / imported->kept_before;
    if (!options->prepare_only && !imported->kept_before.empty() && !fs::remove(before, error))
      text += fmt::format("What was there before is in {}.\n", imported->kept_before);
  }
  if (auto told = tell(context, arguments, report.to_json(), text); !told) return told;
  if (!arguments.strict || !is_strict_failure(report)) return {};
  context.failed_code = kNotStrict;
  return base::fail(ErrorCode::invalid, "Something was left or lost that should have come; the report names it.");
}

}  // namespace

void add_import_command(CLI::App& app, CommandContext& context) {
  CLI::App& command =
      *app.add_subcommand("import-ha", "Move in from Home Assistant: its folder, or a backup of it, becomes this home");
  add_config_option(command, context);
  const auto arguments = std::make_shared<ImportArguments>();
  command.add_option("SOURCE", arguments->source, "The folder that has .storage/, or a backup")
      ->required()
      ->type_name("");
  command.add_flag("--dry-run", arguments->dry_run, "Only say what would come; nothing is written");
  command
      .add_option("--only", arguments->only,
                  "Only these steps, with commas: settings, registry, users, helpers, "
                  "automations, dashboards, states, history, statistics")
      ->type_name("STEPS");
  command.add_option("--history", arguments->history, "How much of the past: all, none, later, or days such as 30d")
      ->type_name("SPAN");
  command.add_flag("--no-credentials", arguments->no_credentials,
                   "Users and their roles, but no password, token or session");
  command.add_option("--automations", arguments->automations, "as-they-were, or off: each is switched off at first")
      ->type_name("STATE");
  command.add_flag("--side-by-side", arguments->side_by_side, "The old hub goes on running beside this one");
  command.add_flag("--into-existing", arguments->into_existing, "Into a home that is used: what is there wins");
  command.add_flag("--accept-newer", arguments->accept_newer, "Read files of newer versions as far as they are known");
  command.add_flag("--passphrase-stdin", arguments->passphrase_stdin,
                   "Read the passphrase of the backup from standard input, one line");
  command.add_option("--report", arguments->report, "Write the report as JSON into a file")->type_name("FILE");
  command.add_flag("--json", arguments->json, "Print the report as JSON");
  command.add_flag("--progress", arguments->progress, "Say on standard error how far it is");
  command.add_flag("--strict", arguments->strict, "End with 3 if something was left that could have come");
  command.add_flag("--prepare", arguments->prepare, "Beside a running hub, whose next start makes the exchange")
      ->group("");
  command.callback(
      [&context, arguments] { context.command = [&context, arguments] { return import(context, *arguments); }; });
}

}  // namespace hearth::app
