// SPDX-License-Identifier: Apache-2.0
#include "building_blocks/shell_commands/shell_commands.h"

#include <fmt/format.h>

#include <utility>

#include "base/config/config_secrets.h"
#include "base/text/utf8.h"

namespace hearth::building_blocks {
namespace {

constexpr std::size_t kMaxLogged = 200;  // bytes of what a command says of its failure

std::string shown(std::string_view output) {
  return trimmed(base::utf8_repaired(output));
}

}  // namespace

ShellCommands::ShellCommands(automation::Home& home, std::filesystem::path folder)
    : home_(home), folder_(std::move(folder)), runner_(home.hub.bus) {}

void ShellCommands::add_services(configured::Reload reload) {
  services_.add_reload("Reads the files again; commands that run go on.", std::move(reload));
}

void ShellCommands::apply(const ShellConfiguration& configuration) {
  services_.apply(configuration, [this](const auto& plan, auto&) {
    return std::make_unique<NamedService<ShellPlan>>(
        home_.hub, kShellCommand, "Runs the command", plan,
        [this](const ShellPlan& own, const core::ServiceCall& made, const core::ServiceReply& reply) {
          call(own, made, reply);
        });
  });
}

void ShellCommands::call(const ShellPlan& plan, const core::ServiceCall& call, const core::ServiceReply& reply) {
  const std::string service = fmt::format("{}.{}", kShellCommand, plan.name);
  auto words = plan.command.words(home_.renderer(), variables_of(call.data()));
  if (!words) return reply(base::fail(words.error().code, fmt::format("{}: {}", service, words.error().message)));
  runner_.run({.words = std::move(*words), .folder = folder_.string()}, [this, service, reply, secrets = plan.secrets,
                                                                         wants_answer = call.request().return_response](
                                                                            base::Result<CommandResult> result) {
    if (!result) {
      std::string why = fmt::format("{}: {}", service, result.error().message);
      log_.log(service, result.error().message);
      return reply(base::fail(result.error().code, std::move(why)));
    }
    if (result->code != 0) {
      const std::string said = base::without_secrets(shown(result->errors), secrets);
      log_.log_as(
          fmt::format("{} {}", service, result->code),
          fmt::format("{} ended with code {}: {}", service, result->code, base::utf8_excerpt(said, kMaxLogged)));
    }
    if (!wants_answer) return reply(json::value());
    reply(json::object{
        {"stdout", shown(result->output)}, {"stderr", shown(result->errors)}, {"returncode", result->code}});
  });
}

void ShellCommands::stop() {
  services_.stop();
  runner_.stop();
}

}  // namespace hearth::building_blocks
