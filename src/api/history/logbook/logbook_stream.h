// SPDX-License-Identifier: Apache-2.0
// logbook/event_stream: past entries, then new ones as they happen, none lost and none twice between the two (past.h).
// Each event is {"events":[…],"start_time":…,"end_time":…}; after one with "partial":true more of the past follows.
#pragma once

#include <memory>

#include "api/gateway/command.h"
#include "api/gateway/connection.h"
#include "api/history/logbook/logbook_query.h"

namespace hearth::api {

// Recent causes that one subscription keeps, besides its filter.
constexpr std::size_t kLogbookStreamBytes = 64 * 1024;

// Worker thread. Fails with unavailable if the bus is full. REQUIRES: there is history.
base::Result<std::unique_ptr<LiveSubscription>> stream_logbook(const CommandCall& call, LogbookOptions options);

// For a caller who may read nothing of what was asked for.
std::string empty_logbook_event(const recorder::Span& span);

}  // namespace hearth::api
