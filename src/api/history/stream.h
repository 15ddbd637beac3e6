// SPDX-License-Identifier: Apache-2.0
// history/stream: past changes, then new ones as they happen, none lost and none twice between the two (past.h).
#pragma once

#include <memory>

#include "api/gateway/command.h"
#include "api/gateway/connection.h"
#include "api/history/query.h"

namespace hearth::api {

// Worker thread. Fails with unavailable if the bus is full. REQUIRES: there is history.
base::Result<std::unique_ptr<LiveSubscription>> stream_history(const CommandCall& call, const HistoryOptions& options);

}  // namespace hearth::api
