// SPDX-License-Identifier: Apache-2.0
#include "building_blocks/command_line/command_source.h"

#include <fmt/format.h>

#include <utility>

#include "base/text/utf8.h"
#include "building_blocks/processes/command_runner.h"
#include "building_blocks/text_template.h"

namespace hearth::building_blocks {
namespace {

constexpr std::size_t kMaxSaid = 200;  // bytes of what a command says of its failure

std::unexpected<base::Error> command_failed(const base::Error& error) {
  return base::fail(error.code, fmt::format("the command {}", error.message));
}

// Succeeds with the code 0 only.
base::Result<void> outcome_of(const base::Result<CommandResult>& result) {
  if (!result) return command_failed(result.error());
  if (result->code == 0) return {};
  const std::string said = trimmed(base::utf8_repaired(result->errors));
  return base::fail(base::ErrorCode::unavailable,
                    fmt::format("the command ended with code {}{}{}", result->code, said.empty() ? "" : ": ",
                                base::utf8_excerpt(said, kMaxSaid)));
}

}  // namespace

base::Result<Command> CommandSource::made(const CommandText& text) const {
  auto words = text.words(environment_.home.renderer(), {});
  if (!words) return base::fail(words.error().code, fmt::format("the command's {}", words.error().message));
  return Command{.words = std::move(*words), .folder = environment_.folder.string(), .timeout = options_->timeout};
}

void CommandSource::fetch(Done done) {
  auto command = made(options_->state);
  if (!command) return done(std::unexpected(command.error()));
  environment_.fetches.run(std::move(*command),
                           [this, alive = std::weak_ptr(alive_), done](const base::Result<CommandResult>& result) {
                             if (alive.expired()) return;
                             if (options_->code_is_state) {
                               if (!result) return done(command_failed(result.error()));
                               return done(Parts{Fetched{.text = result->code == 0 ? "on" : "off"}});
                             }
                             if (const auto ended = outcome_of(result); !ended)
                               return done(std::unexpected(ended.error()));
                             done(Parts{Fetched{.text = trimmed(base::utf8_repaired(result->output))}});
                           });
}

void CommandSource::command(std::size_t, const domains::Action& action, const json::object&, Commanded done) {
  const auto order = options_->orders.find(action.service);
  if (order == options_->orders.end()) return done(base::fail(base::ErrorCode::unsupported, "has no command"));
  auto command = made(order->second);
  if (!command) return done(std::unexpected(command.error()));
  environment_.orders.run(std::move(*command),
                          [alive = std::weak_ptr(alive_), done](const base::Result<CommandResult>& result) {
                            if (!alive.expired()) done(outcome_of(result));
                          });
}

}  // namespace hearth::building_blocks
