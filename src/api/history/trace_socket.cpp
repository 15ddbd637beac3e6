// SPDX-License-Identifier: Apache-2.0
#include "api/commands.h"
#include "api/gateway/message_reader.h"

namespace hearth::api {

// The runs that are traced, by their contexts: a hub without automations has none.
CommandResult trace_commands::contexts(const CommandCall& call) {
  std::optional<std::string> domain, item_id;
  MessageReader in(call.message);
  in.optional("domain", domain);
  in.optional("item_id", item_id);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  if (domain.has_value() != item_id.has_value()) {
    return std::unexpected(
        CommandError(command_error::kInvalidFormat, "domain and item_id belong together: expected both or neither."));
  }
  return "{}";
}

}  // namespace hearth::api
