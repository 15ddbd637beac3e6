// SPDX-License-Identifier: Apache-2.0
// The services shell_command.<name>, which run commands of the configuration. Only those may call one who may control
// all of the home, or whose policy names it as if it were an entity. Bus thread only, except where noted.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "automation/home/home.h"
#include "base/log/repeated_log.h"
#include "building_blocks/processes/command_runner.h"
#include "building_blocks/shell_commands/plan_parser.h"

namespace hearth::building_blocks {

class ShellCommands {
 public:
  // The home must outlive it. Commands run in `folder`.
  ShellCommands(automation::Home& home, std::filesystem::path folder);
  ~ShellCommands() = default;
  ShellCommands(const ShellCommands&) = delete;
  ShellCommands& operator=(const ShellCommands&) = delete;

  // shell_command.reload. Once, while the bus does not run.
  void add_services(configured::Reload reload);
  // Puts the configuration in force. What runs goes on; a broken command leaves the last good one in force.
  void apply(const ShellConfiguration& configuration);
  // Ends all, and kills what runs.
  void stop();
  // Waits for the threads, after stop(). While the bus does not run.
  void join() { runner_.join(); }

  // Any thread.
  std::shared_ptr<const std::vector<configured::Fault>> faults() const { return services_.faults(); }

 private:
  void call(const ShellPlan& plan, const core::ServiceCall& call, const core::ServiceReply& reply);

  automation::Home& home_;
  const std::filesystem::path folder_;
  CommandRunner runner_;
  NamedServices<ShellPlan> services_{home_.hub, kShellCommand};
  base::RepeatedLog log_{kShellCommand};
};

}  // namespace hearth::building_blocks
