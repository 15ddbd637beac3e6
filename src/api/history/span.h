// SPDX-License-Identifier: Apache-2.0
// The span of time that a request names: /period/{start}?end_time=…
#pragma once

#include "api/call.h"
#include "recorder/history/entity_history.h"

namespace hearth::api {

// By default from a day before now, and as long as a day. `segment` is the one that holds the start, where the path has
// it. Fails with invalid: `Invalid datetime`, `Invalid end_time`.
base::Result<recorder::Span> time_span(const Call& call, std::size_t segment);

}  // namespace hearth::api
