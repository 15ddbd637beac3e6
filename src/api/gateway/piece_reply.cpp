// SPDX-License-Identifier: Apache-2.0
#include "api/gateway/piece_reply.h"

#include "api/parts.h"

namespace hearth::api {
namespace {

constexpr std::size_t kMaxResult = 4 * 1024 * 1024;

}  // namespace

void reply_with_pieces(const CommandCall& call, CommandReply reply, std::size_t weight, PieceMaker make) {
  reply_with_pieces(call.home, call.parts.history, std::move(reply), weight, std::move(make));
}

void reply_with_pieces(const core::View& home, recorder::History* history, CommandReply reply, std::size_t weight,
                       PieceMaker make) {
  const auto shared = std::make_shared<CommandReply>(std::move(reply));
  collect_pieces(home, history, kMaxResult, weight, std::move(make), [shared](base::Result<std::string> text) {
    if (text) return shared->send(std::move(*text));
    shared->send(std::unexpected(text.error()));
  });
}

}  // namespace hearth::api
