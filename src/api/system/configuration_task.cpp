// SPDX-License-Identifier: Apache-2.0
#include "api/system/configuration_task.h"

#include <memory>

namespace hearth::api {

bool post_to_configuration(const Parts& parts, base::TaskThread::Task task) {
  if (parts.configuration) return parts.configuration->post(std::move(task));
  task();
  return true;
}

void answer_from_configuration(const Parts& parts, http::Responder responder,
                               std::move_only_function<http::Response()> make) {
  const auto shared = std::make_shared<http::Responder>(std::move(responder));
  const bool posted =
      post_to_configuration(parts, [shared, make = std::move(make)]() mutable { shared->send(make()); });
  if (!posted) shared->send(http::Response::message(503, std::string(kConfigurationBusy)));
}

void reply_from_configuration(const Parts& parts, CommandReply reply, std::move_only_function<CommandResult()> make) {
  const auto shared = std::make_shared<CommandReply>(std::move(reply));
  const bool posted =
      post_to_configuration(parts, [shared, make = std::move(make)]() mutable { shared->send(make()); });
  if (!posted) shared->send(configuration_busy());
}

std::unexpected<CommandError> configuration_busy() {
  return std::unexpected(CommandError(command_error::kHomeAssistantError, std::string(kConfigurationBusy)));
}

}  // namespace hearth::api
