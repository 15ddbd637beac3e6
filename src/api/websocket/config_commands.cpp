// SPDX-License-Identifier: Apache-2.0
#include "api/configuration.h"
#include "api/websocket/commands.h"
#include "api/websocket/message_reader.h"

namespace hearth::api {

CommandResult config_commands::get(const CommandCall& call) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  return base::to_json(configuration(call.hub));
}

// Pages beside the hub's own: there are none.
CommandResult config_commands::panels(const CommandCall& call) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  return "{}";
}

}  // namespace hearth::api
