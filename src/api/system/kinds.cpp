// SPDX-License-Identifier: Apache-2.0
#include "api/commands.h"
#include "api/gateway/message_reader.h"
#include "domains/kind_json.h"

namespace hearth::api {

CommandResult kind_commands::list(const CommandCall& call) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  return base::to_json(domains::kinds_json());
}

}  // namespace hearth::api
