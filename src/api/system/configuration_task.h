// SPDX-License-Identifier: Apache-2.0
// Runs work on the files of the configuration on a thread of its own, because large files take long and logins must not
// wait for them.
#pragma once

#include <functional>
#include <string_view>

#include "api/gateway/command.h"
#include "api/parts.h"
#include "base/threads/task_thread.h"
#include "http/messages/handler.h"

namespace hearth::api {

constexpr std::string_view kConfigurationBusy = "The hub has too much to do with its configuration. Try again soon.";

// Lets the configuration's thread run the task; without such a thread, as in tests, the caller does. False if too much
// waits there.
[[nodiscard]] bool post_to_configuration(const Parts& parts, base::TaskThread::Task task);

// Lets that thread make the answer, and sends it; 503 if too much waits. `make` must not refer to the request.
void answer_from_configuration(const Parts& parts, http::Responder responder,
                               std::move_only_function<http::Response()> make);
void reply_from_configuration(const Parts& parts, CommandReply reply, std::move_only_function<CommandResult()> make);

// Said to a command where too much waits.
std::unexpected<CommandError> configuration_busy();

}  // namespace hearth::api
