// SPDX-License-Identifier: Apache-2.0
// The hub's own metrics: the process, requests, the bus, the recorder, integrations. docs/monitoring.md lists them.
#pragma once

#include "api/call.h"
#include "api/metrics/metric_text.h"

namespace hearth::api {

// Any thread; does not wait for the bus. REQUIRES: the call may see the whole home.
void add_hub_metrics(MetricText& text, const Call& call);

}  // namespace hearth::api
