// SPDX-License-Identifier: Apache-2.0
#include "app/commands/doctor_command.h"

#include <fmt/format.h>

#include <memory>
#include <ostream>

#include "app/doctor/diagnosis.h"
#include "app/settings/config_folder.h"
#include "base/json/json.h"
#include "base/log/log.h"
#include "base/net/local_request.h"

namespace hearth::app {
namespace {

using base::ErrorCode;
using base::Result;

struct DoctorOptions {
  bool json = false;
  bool ready = false;
  std::uint16_t port = 0;  // 0: as configured
};

Result<Settings> read_settings(CommandContext& context, const std::filesystem::path& folder) {
  base::set_log_level(base::LogLevel::error);
  return load_settings(folder, known_integrations(context.integrations));
}

// For health checks of containers and supervisors.
Result<void> ask_if_ready(CommandContext& context, const DoctorOptions& options) {
  const auto folder = config_folder(context.config);
  if (!folder) return std::unexpected(folder.error());
  const auto settings = read_settings(context, *folder);
  const HttpSettings http = settings ? settings->http : HttpSettings();
  const std::string origin =
      fmt::format("{}://127.0.0.1:{}", http.scheme(), options.port != 0 ? options.port : http.server_port);
  const auto answer = base::ask_local_hub(origin, "/api/ready", std::chrono::seconds(3));
  if (!answer)
    return base::fail(ErrorCode::unavailable, fmt::format("No hub answers at {}: {}", origin, answer.error().message));
  if (answer->status != 200)
    return base::fail(ErrorCode::unavailable, fmt::format("The hub is not ready: {}", answer->body));
  context.out << "ready\n";
  return {};
}

void print_text(std::ostream& out, const Diagnoses& diagnoses) {
  for (const Diagnosis& each : diagnoses) {
    out << fmt::format("{:8} {}: {}\n", to_string(each.grade), each.check, each.text);
    if (!each.advice.empty()) out << fmt::format("{:8}   {}\n", "", each.advice);
  }
}

void print_json(std::ostream& out, const Diagnoses& diagnoses) {
  out << base::to_json(report_of(diagnoses)) << '\n';
}

// Exit code 0: all is good; 1: there are warnings; 2: something is bad.
Result<void> examine_home(CommandContext& context, const DoctorOptions& options) {
  const auto folder = config_folder(context.config);
  if (!folder) return std::unexpected(folder.error());
  auto settings = read_settings(context, *folder);
  if (settings && options.port != 0) settings->http.server_port = options.port;
  const Diagnoses diagnoses = examine(*folder, settings, context.clock, [] { return true; });
  if (options.json)
    print_json(context.out, diagnoses);
  else
    print_text(context.out, diagnoses);
  const auto count = [&](Diagnosis::Grade grade) { return std::ranges::count(diagnoses, grade, &Diagnosis::grade); };
  const auto bad = count(Diagnosis::Grade::bad), warnings = count(Diagnosis::Grade::warning);
  if (bad + warnings == 0) return {};
  context.failed_code = bad > 0 ? 2 : 1;
  return base::fail(ErrorCode::unavailable, fmt::format("{} bad, {} warnings.", bad, warnings));
}

}  // namespace

void add_doctor_command(CLI::App& app, CommandContext& context) {
  const auto options = std::make_shared<DoctorOptions>();
  CLI::App& doctor = *app.add_subcommand("doctor", "Say how the home and its machine are, and what to do");
  add_config_option(doctor, context);
  auto* const json = doctor.add_flag("--json", options->json, "As JSON, for programs");
  doctor.add_flag("--ready", options->ready, "Only ask the running hub if it is ready, for health checks")
      ->excludes(json);
  doctor.add_option("--port", options->port, "The hub's port, if it was started with --port")
      ->type_name("N")
      ->check(CLI::Range(1, 65535));
  doctor.callback([&context, options] {
    context.command = [&context, options] {
      return options->ready ? ask_if_ready(context, *options) : examine_home(context, *options);
    };
  });
}

}  // namespace hearth::app
