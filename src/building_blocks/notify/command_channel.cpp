// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/text/utf8.h"
#include "building_blocks/notify/channels.h"

namespace hearth::building_blocks {
namespace {

constexpr std::size_t kMaxReported = 200;             // bytes of what a command says of its failure
constexpr int kNotExecutable = 126, kNotFound = 127;  // codes of the shell

class CommandChannel final : public Channel {
 public:
  CommandChannel(const CommandNotice& notice, const ChannelNeeds& needs)
      : commands_(needs.commands), folder_(needs.folder.string()), notice_(notice) {}

  void send(const Message& message, Done done) override {
    commands_.run({.words = Command::for_shell(notice_.line),
                   .folder = folder_,
                   .input = message.text,
                   .timeout = notice_.timeout},
                  [done = std::move(done)](const base::Result<CommandResult>& result) {
                    if (!result)
                      return done(std::unexpected(
                          Undelivered{result.error().code, "the command " + result.error().message, true}));
                    if (result->code == 0) return done({});
                    const bool is_there = result->code != kNotExecutable && result->code != kNotFound;
                    const std::string said = trimmed(base::utf8_repaired(result->errors));
                    done(std::unexpected(Undelivered{
                        .why = fmt::format("the command ended with code {}{}{}", result->code, said.empty() ? "" : ": ",
                                           base::utf8_excerpt(said, kMaxReported)),
                        .may_pass = is_there}));
                  });
  }

 private:
  CommandRunner& commands_;
  const std::string folder_;
  const CommandNotice notice_;
};

}  // namespace

std::unique_ptr<Channel> make_command_channel(const CommandNotice& notice, const ChannelNeeds& needs) {
  return std::make_unique<CommandChannel>(notice, needs);
}

}  // namespace hearth::building_blocks
