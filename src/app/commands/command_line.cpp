// SPDX-License-Identifier: Apache-2.0
#include "app/commands/command_line.h"

#include <fmt/format.h>
#include <sodium.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <iostream>

#include "api/imports/imports.h"
#include "app/app.h"
#include "app/commands/account_commands.h"
#include "app/commands/audit_commands.h"
#include "app/commands/automation_commands.h"
#include "app/commands/backup_commands.h"
#include "app/commands/command_context.h"
#include "app/commands/doctor_command.h"
#include "app/commands/documentation_commands.h"
#include "app/commands/downgrade_command.h"
#include "app/commands/import_command.h"
#include "app/commands/password_prompt.h"
#include "app/commands/tls_commands.h"
#include "app/connections/integrations.h"
#include "app/doctor/diagnosis.h"
#include "app/files/configuration_file.h"
#include "app/folder_lock.h"
#include "app/import_ha/import_hooks.h"
#include "app/process_hardening.h"
#include "app/settings/config_folder.h"
#include "app/signals.h"
#include "app/version.h"
#include "automation/items/helper_parser.h"
#include "automation/items/item_parser.h"
#include "automation/items/scene_parser.h"
#include "backup/home_files.h"
#include "backup/restore.h"
#include "base/log/log.h"
#include "base/memory_use.h"
#include "base/service_manager.h"
#include "base/text/truth.h"
#include "building_blocks/blocks/blocks.h"
#include "building_blocks/notify/notify_parser.h"
#include "building_blocks/rest_commands/rest_plan_parser.h"
#include "building_blocks/shell_commands/plan_parser.h"
#include "derived/sensors/plan_parser.h"
#include "domains/entities/kind_json.h"
#include "integrations/mqtt/manual/manual_items.h"
#include "template_entities/plan_parser.h"

namespace hearth::app {
namespace {

struct ServeOptions {
  std::string host;
  std::uint16_t port = 0;  // 0: as configured
  bool code_for_all = false;
};

// The same from the environment, which an image sets for whatever command line. Fails with invalid.
base::Result<bool> code_for_all_of_environment() {
  const char* const value = std::getenv("HEARTH_CODE_FOR_ALL");
  if (!value || !*value) return false;
  if (const auto wanted = base::parse_boolean(value)) return *wanted;
  return base::fail(base::ErrorCode::invalid,
                    fmt::format("HEARTH_CODE_FOR_ALL in the environment is {}: expected true or false.", value));
}

base::Result<Settings> load_to_start(const CommandContext& context, const std::filesystem::path& folder,
                                     LastGood& last_good) {
  const auto integrations = known_integrations(context.integrations);
  const bool keeps_failing = last_good.begin_start(context.clock.now());
  if (keeps_failing && last_good.has_start()) {
    if (auto settings = load_last_good(folder, integrations, last_good)) {
      settings->is_last_good = true;
      base::log_warning("config",
                        "{} starts within {} min have failed: this one uses the whole configuration of the last good "
                        "start. Mend the files, then restart",
                        LastGood::kMaxAttempts,
                        std::chrono::duration_cast<std::chrono::minutes>(LastGood::kAttemptTime).count());
      return settings;
    }
  }
  auto settings = load_settings_to_start(folder, integrations, last_good);
  if (!settings) return settings;
  if (!has(settings->findings, Finding::Kind::refused)) return settings;
  context.err << texts_of(settings->findings, Finding::Kind::refused) << '\n';
  return base::fail(base::ErrorCode::invalid, "The configuration is not valid.");
}

// Each connection needs a file descriptor: allow as many as the system does.
void raise_descriptor_limit() {
  rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

// Signals that end the hub are blocked until it has started.
bool interrupted() {
  sigset_t pending;
  sigpending(&pending);
  return std::ranges::any_of(kEndingSignals, [&](int number) { return sigismember(&pending, number) == 1; });
}

// Completes an import that was prepared beside the hub before this start. Returns why that failed, which keeps no home
// from starting; empty if it did not.
std::string finish_prepared_import(const CommandContext& context, const std::filesystem::path& folder) {
  if (!import_ha::is_import_prepared(folder)) return {};
  const auto integrations = known_integrations(context.integrations);
  import_ha::ImportHooks hooks = import_hooks(integrations);
  hooks.go_on = [] {
    base::notify_service_manager("EXTEND_TIMEOUT_USEC=120000000\nSTATUS=Completing the import");
    return !interrupted();
  };
  base::log_info("import", "completing the import that was prepared");
  base::Result<std::optional<std::string>> finished;
  try {
    finished = import_ha::finish_import(folder, hooks, context.clock.now(), std::string(version()));
  } catch (const std::exception& thrown) {
    static_cast<void>(import_ha::discard_import(folder));
    finished = base::fail(base::ErrorCode::internal, fmt::format("The import was not completed: {}.", thrown.what()));
  }
  if (!finished) {
    base::log_error("import", "{}", finished.error().message);
    return finished.error().message;
  }
  if (*finished) base::log_info("import", "{}", **finished);
  // It has all secrets of the old home, and nobody could upload another one for a first start.
  std::error_code ignored;
  std::filesystem::remove(folder / backup::kImportsFolder / fmt::format("{}.tar", api::Imports::kFirstStart), ignored);
  return {};
}

base::Result<Exit> run_hub(const CommandContext& context, const ServeOptions& options, char** argv) {
  const auto folder = config_folder(context.config);
  if (!folder) return std::unexpected(folder.error());
  const auto code_for_all = code_for_all_of_environment();
  if (!code_for_all) return std::unexpected(code_for_all.error());
  if (auto made = make_config_folder(*folder); !made) return std::unexpected(made.error());
  const auto lock = FolderLock::lock(*folder);
  if (!lock) return std::unexpected(lock.error());
  if (const auto obstacles = find_obstacles(*folder); !obstacles.empty()) {
    return base::fail(base::ErrorCode::unavailable,
                      fmt::format("{}. {}", obstacles.front().text, obstacles.front().advice));
  }
  const auto restored = backup::finish_restore(*folder);
  if (!restored) return std::unexpected(restored.error());
  if (*restored) base::log_info("backup", "{}", **restored);
  const std::string import_failure = finish_prepared_import(context, *folder);
  if (interrupted()) return Exit::stop;
  const auto written = write_default_configuration(*folder);
  if (!written) return std::unexpected(written.error());
  if (*written) base::log_info("hub", "wrote {} with the defaults", (*folder / kConfigurationFile).string());
  LastGood last_good(*folder);
  auto settings = load_to_start(context, *folder, last_good);
  if (!settings) return std::unexpected(settings.error());
  if (!options.host.empty()) settings->http.server_host = {options.host};
  if (options.port != 0) settings->http.server_port = options.port;

  base::set_log_level(settings->log_level);
  base::set_log_style(settings->log_style);
  log(settings->findings);
  raise_descriptor_limit();
  harden_process();
  base::keep_memory_small();
  const std::string chosen = context.config.empty() ? "" : " --config " + folder->string();
  App app(*folder, std::move(*settings), {argv[0], chosen, options.code_for_all || *code_for_all, import_failure},
          context.integrations);
  auto exit = app.run();
  if (exit) last_good.end_start();
  return exit;
}

base::Result<void> serve(const CommandContext& context, const ServeOptions& options, char** argv) {
  prepare_signals();
  base::Result<Exit> exit = Exit::stop;
  {
    const base::LogThread log_thread;
    exit = run_hub(context, options, argv);
  }
  if (!exit) return std::unexpected(exit.error());
  if (*exit == Exit::restart) {
    sigset_t none;
    sigemptyset(&none);
    pthread_sigmask(SIG_SETMASK, &none, nullptr);
    execv("/proc/self/exe", argv);
    return base::fail(base::ErrorCode::unavailable, "The hub stopped, but cannot start itself again.");
  }
  return {};
}

// `strict`: words that have no meaning here are errors, too.
base::Result<void> check(const CommandContext& context, bool strict) {
  const auto folder = config_folder(context.config);
  if (!folder) return std::unexpected(folder.error());
  const auto settings = load_settings(*folder, known_integrations(context.integrations));
  if (!settings) {
    context.err << settings.error().message << '\n';
    return base::fail(base::ErrorCode::invalid, "The configuration is not valid.");
  }
  for (const Finding& each : settings->findings)
    (each.kind >= Finding::Kind::wrong ? context.err : context.out) << each.message << '\n';
  const auto automations = automation::parse_configuration(settings->automations);
  const auto scenes = automation::parse_scenes(settings->automations);
  for (const auto* const warnings : {&automations.warnings, &scenes.warnings}) {
    for (const std::string& warning : *warnings) context.out << warning << '\n';
  }
  auto errors = errors_of(automations);
  for (std::string& error : errors_of(template_entities::parse_configuration(settings->automations)))
    errors.push_back(std::move(error));
  for (std::string& error : errors_of(derived::parse_configuration(settings->automations)))
    errors.push_back(std::move(error));
  const auto shell_commands = building_blocks::parse_shell_commands(settings->automations);
  for (const std::string& warning : shell_commands.warnings) context.out << warning << '\n';
  for (std::string& error : errors_of(shell_commands)) errors.push_back(std::move(error));
  for (std::string& error : errors_of(building_blocks::parse_notifiers(settings->automations)))
    errors.push_back(std::move(error));
  const auto rest_commands = building_blocks::parse_rest_commands(settings->automations);
  for (const std::string& warning : rest_commands.warnings) context.out << warning << '\n';
  for (std::string& error : errors_of(rest_commands)) errors.push_back(std::move(error));
  const auto polled = building_blocks::parse_blocks(settings->automations);
  for (const std::string& warning : polled.warnings) context.out << warning << '\n';
  for (std::string& error : errors_of(polled)) errors.push_back(std::move(error));
  for (std::string& error : errors_of(automation::parse_helpers(settings->automations)))
    errors.push_back(std::move(error));
  for (std::string& error : errors_of(scenes)) errors.push_back(std::move(error));
  for (const std::string& error : errors) context.err << error << '\n';
  if (!errors.empty())
    return base::fail(
        base::ErrorCode::invalid,
        "Automations, scripts, scenes, helpers, template entities, sensors made of others or commands are not valid.");
  namespace mqtt = integrations::mqtt;
  const auto faults = mqtt::check_manual_items(mqtt::joined_sections({}, settings->mqtt_components));
  for (const std::string& fault : faults) context.err << fault << '\n';
  if (!faults.empty()) return base::fail(base::ErrorCode::invalid, "Components of mqtt are not valid.");
  if (has(settings->findings, Finding::Kind::wrong))
    return base::fail(base::ErrorCode::invalid, "The configuration is not valid.");
  if (strict && (has(settings->findings, Finding::Kind::left_out) || !automations.warnings.empty()))
    return base::fail(base::ErrorCode::invalid, "Parts of the configuration have no meaning here.");
  context.out << kConfigurationFile << " is valid.\n";
  return {};
}

boost::json::object version_json() {
  const auto [year, month, number] = version_parts();
  return {
      {"version", version()}, {"year", year}, {"month", month}, {"number", number}, {"architecture", architecture()}};
}

void add_version_command(CLI::App& app, CommandContext& context) {
  CLI::App& command = *app.add_subcommand("version", "Print the version");
  add_config_option(command, context);
  const auto as_json = std::make_shared<bool>(false);
  command.add_flag("--json", *as_json, "As JSON, for programs");
  command.callback([&context, as_json] {
    context.command = [&context, as_json]() -> base::Result<void> {
      context.out << (*as_json ? base::to_json(version_json()) : std::string(version())) << '\n';
      return {};
    };
  });
}

void add_hub_commands(CLI::App& app, CommandContext& context, ServeOptions& options, bool& strict, char** argv) {
  CLI::App* const serve_command = app.add_subcommand("serve", "Run the hub");
  add_config_option(*serve_command, context);
  serve_command->add_option("--host", options.host, "The address to listen on (default: as configured, else all)")
      ->type_name("ADDR");
  serve_command->add_option("--port", options.port, "The port to listen on (default: as configured, else 8123)")
      ->type_name("N")
      ->check(CLI::Range(1, 65535));
  serve_command->add_flag("--code-for-all", options.code_for_all,
                          "The first user needs the code of the log at home, too (default: $HEARTH_CODE_FOR_ALL)");
  serve_command->callback([&, argv] { context.command = [&, argv] { return serve(context, options, argv); }; });

  CLI::App* const check_command = app.add_subcommand("check", "Read configuration.yaml and say what is wrong with it");
  add_config_option(*check_command, context);
  check_command->add_flag("--strict", strict, "Fail also for words that have no meaning here");
  check_command->callback([&] { context.command = [&] { return check(context, strict); }; });

  CLI::App* const kinds_command = app.add_subcommand("kinds", "Print the kinds of entities there are, as JSON");
  add_config_option(*kinds_command, context);
  kinds_command->callback([&] {
    context.command = [&]() -> base::Result<void> {
      context.out << base::to_json(domains::kinds_json()) << '\n';
      return {};
    };
  });

  add_version_command(app, context);
}

}  // namespace

int run_program(int argc, char** argv, Integrations integrations) {
  // Only the owner may read the files that the hub writes, however it was started.
  ::umask(S_IRWXG | S_IRWXO);
  // A file that may not grow is like a full disk: an error that is handled.
  std::signal(SIGXFSZ, SIG_IGN);
  if (sodium_init() < 0) {
    std::cerr << "hearth: The system's random source cannot be used.\n";
    return 1;
  }
  CLI::App app("Hearth, a home automation hub.", "hearth");
  const base::SystemClock clock;
  CommandContext context{std::cin, std::cout, std::cerr, clock, ask_password, {}, {}, integrations};
  ServeOptions serve_options;
  bool strict = false;
  add_hub_commands(app, context, serve_options, strict, argv);
  add_account_commands(app, context);
  add_backup_commands(app, context);
  add_automation_commands(app, context);
  add_doctor_command(app, context);
  add_downgrade_command(app, context);
  add_import_command(app, context);
  add_tls_commands(app, context);
  add_audit_commands(app, context);
  add_documentation_commands(app, context);
  return run_command_line(app, context, {argv + 1, argv + argc});
}

}  // namespace hearth::app
