// SPDX-License-Identifier: Apache-2.0
// A command's result that the thread of history makes piece by piece.
#pragma once

#include "api/gateway/command.h"
#include "api/gateway/piece_answer.h"

namespace hearth::api {

// Any thread. Answers with all of it as one result; with an error if it fails or would be longer than 4 MiB.
// `weight`: about how many bytes `make` keeps alive.
void reply_with_pieces(const core::View& home, recorder::History* history, CommandReply reply, std::size_t weight,
                       PieceMaker make);
// Worker thread.
void reply_with_pieces(const CommandCall& call, CommandReply reply, std::size_t weight, PieceMaker make);

}  // namespace hearth::api
