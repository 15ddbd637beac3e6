// SPDX-License-Identifier: Apache-2.0
// history/stream: what was, in as many events as it takes and as fast as the client takes them, and then what happens,
// with nothing lost and nothing twice between the two.
//
// What happens while the client still gets what was waits for its turn, at most kMaxEarly events; past that it goes out
// before the rest.
#pragma once

#include <memory>

#include "api/gateway/command.h"
#include "api/gateway/connection.h"
#include "api/history/query.h"

namespace hearth::api {

// Worker thread. Fails with unavailable if the bus is full. REQUIRES: there is history.
base::Result<std::unique_ptr<LiveSubscription>> stream_history(const CommandCall& call, HistoryOptions options);

}  // namespace hearth::api
