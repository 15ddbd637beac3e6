// SPDX-License-Identifier: Apache-2.0
#include "app/commands/automation_commands.h"

#include <fmt/format.h>

#include <istream>
#include <iterator>
#include <memory>
#include <ostream>

#include "app/commands/replay_command.h"
#include "app/commands/scenario_files.h"
#include "app/connections/integrations.h"
#include "app/settings/config_folder.h"
#include "base/log/log.h"
#include "simulation/simulation.h"
#include "template/language/custom_templates.h"

namespace hearth::app {
namespace {

constexpr int kUnreadable = 2;  // the exit code

struct TestOptions {
  std::vector<std::string> files;
  bool json = false;
};

base::Result<void> test(CommandContext& context, const TestOptions& options) {
  const auto folder = config_folder(context.config);
  if (!folder) return std::unexpected(folder.error());
  base::set_log_level(base::LogLevel::error);  // what is wrong is told as a failure
  templates::CustomTemplates custom(*folder / "custom_templates");
  static_cast<void>(custom.reload());
  ScenarioFiles files(*folder, known_integrations(context.integrations));
  std::vector<simulation::Scenario> scenarios;
  bool readable = true;
  for (const std::string& file : options.files) {
    auto loaded =
        file == "-" ? files.load_text(std::string(std::istreambuf_iterator<char>(context.in), {}), context.clock.now())
                    : files.load(file, context.clock.now());
    if (loaded) {
      std::ranges::move(*loaded, std::back_inserter(scenarios));
    } else {
      context.err << loaded.error().message << '\n';
      readable = false;
    }
  }
  if (!readable) {
    context.failed_code = kUnreadable;
    return base::fail(base::ErrorCode::invalid, "Not all scenarios can be read; none was run.");
  }
  std::size_t failed = 0;
  for (const simulation::Scenario& scenario : scenarios) {
    const simulation::Outcome outcome = simulation::simulate(scenario, [&custom] { return custom.texts(); });
    if (!outcome.passed()) ++failed;
    if (options.json)
      context.out << base::to_json(simulation::to_json_object(outcome)) << '\n';
    else
      context.out << simulation::to_text(outcome);
    context.out.flush();
  }
  if (failed > 0)
    return base::fail(base::ErrorCode::invalid, fmt::format("{} of {} failed.", failed, scenarios.size()));
  if (!options.json) context.out << fmt::format("{} passed.\n", scenarios.size());
  return {};
}

}  // namespace

void add_automation_commands(CLI::App& app, CommandContext& context) {
  CLI::App& group = *app.add_subcommand("automation", "Try automations out")->require_subcommand(1);
  CLI::App& command = *group.add_subcommand("test", "Run scenarios against automations in a simulated home");
  add_config_option(command, context);
  const auto options = std::make_shared<TestOptions>();
  command.add_option("FILE", options->files, "Files of scenarios; - is the standard input")->required();
  command.add_flag("--json", options->json, "Print a JSON object for each scenario");
  command.callback([&context, options] { context.command = [&context, options] { return test(context, *options); }; });
  add_replay_command(group, context);
}

}  // namespace hearth::app
