// SPDX-License-Identifier: Apache-2.0
// hearth/doctor: the same as `hearth doctor`, of the hub that answers.
#include <memory>

#include "api/gateway/message_reader.h"
#include "api/parts.h"
#include "api/rows.h"
#include "api/system/doctor.h"

namespace hearth::api {
namespace {

void examine_home(const CommandCall& call, CommandReply reply) {
  MessageReader in(call.message);
  if (auto read = in.finish(); !read) return reply.send(std::unexpected(read.error()));
  if (!call.parts.doctor)
    return reply.send(std::unexpected(CommandError(command_error::kNotFound, "This hub cannot look at itself.")));
  const auto shared = std::make_shared<CommandReply>(std::move(reply));
  const auto begun =
      call.parts.doctor->examine([shared](const json::object& report) { shared->send(base::to_json(report)); });
  if (!begun) shared->send(std::unexpected(CommandError(begun.error())));
}

}  // namespace

constexpr Command kDoctorCommandRows[] = {
    {"hearth/doctor", Access::admin, examine_home, Durable::no},
};
constexpr Commands kDoctorCommands = kDoctorCommandRows;

}  // namespace hearth::api
