// SPDX-License-Identifier: Apache-2.0
// The output of a command, and the commands of a switch or cover. Bus thread only.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "building_blocks/polled/source.h"
#include "building_blocks/processes/command.h"
#include "building_blocks/processes/command_text.h"

namespace hearth::building_blocks {

class CommandSource final : public Source {
 public:
  struct Options {
    CommandText state;                                       // tells; unused if the plan is never fetched
    bool code_is_state = false;                              // the exit code tells: 0 is on, any other off
    std::map<std::string, CommandText, std::less<>> orders;  // by service
    std::chrono::milliseconds timeout = std::chrono::seconds(15);
  };

  // The environment must outlive it.
  CommandSource(const PolledEnvironment& environment, std::shared_ptr<const Options> options)
      : environment_(environment), options_(std::move(options)) {}

  void fetch(Done done) override;
  void command(std::size_t entity, const domains::Action& action, const json::object& data, Commanded done) override;

 private:
  base::Result<Command> made(const CommandText& text) const;

  const PolledEnvironment& environment_;
  const std::shared_ptr<const Options> options_;
  const std::shared_ptr<const bool> alive_ = std::make_shared<const bool>(true);  // expires with this
};

}  // namespace hearth::building_blocks
