// SPDX-License-Identifier: Apache-2.0
// Lets commands ask the automations, which live on the bus thread.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "api/automations/automations.h"
#include "api/gateway/command.h"
#include "api/parts.h"

namespace hearth::api {

using SharedReply = std::shared_ptr<CommandReply>;

inline std::unexpected<CommandError> not_there(std::string message) {
  return std::unexpected(CommandError(command_error::kNotFound, std::move(message)));
}
inline std::unexpected<CommandError> no_automations() {
  return not_there("This hub runs no automations.");
}

// Calls answer(automations, reply) on the bus thread. Fails with not_found if the hub has none, with unavailable if the
// bus is full.
template <class Answer>
void ask_automations(const CommandCall& call, CommandReply reply, Answer answer) {
  if (!call.parts.automations) return reply.send(no_automations());
  const auto shared = std::make_shared<CommandReply>(std::move(reply));
  const std::size_t weight = core::EventBus::kSmallTask + base::to_json(call.message).size();
  const auto posted = call.home.post(weight, [automations = call.parts.automations, shared,
                                              answer = std::move(answer)] { answer(*automations, shared); });
  if (!posted) shared->send(std::unexpected(posted.error()));
}

}  // namespace hearth::api
