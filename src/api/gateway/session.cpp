// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "api/gateway/connection.h"
#include "api/gateway/message_reader.h"
#include "api/rows.h"

namespace hearth::api {
namespace {

std::string ping(const CommandCall& call) {
  return fmt::format(R"({{"id":{},"type":"pong"}})", call.id);
}

CommandResult set_supported_features(const CommandCall& call) {
  json::object features;
  MessageReader in(call.message);
  in.required("features", features);
  if (auto read = in.finish(); !read) return std::unexpected(read.error());
  std::int64_t coalesce = 0;
  if (const json::value* const wanted = features.if_contains("coalesce_messages")) {
    if (wanted->is_bool())
      coalesce = wanted->get_bool();
    else if (wanted->is_int64())
      coalesce = wanted->get_int64();
    else
      return std::unexpected(
          CommandError(command_error::kInvalidFormat, "features.coalesce_messages: expected a number."));
  }
  call.connection.set_coalescing(coalesce != 0);
  return "null";
}

}  // namespace

constexpr Command kSessionCommandRows[] = {
    {"ping", Access::any, ping, Durable::no},
    {"supported_features", Access::any, set_supported_features, Durable::no},
};
constexpr Commands kSessionCommands = kSessionCommandRows;

}  // namespace hearth::api
