// SPDX-License-Identifier: Apache-2.0
// Adds facts from traces to the runs of an explanation: the path of the step that made the call, and the id of the
// trigger.
#pragma once

#include <functional>

#include "api/automations/automations.h"
#include "api/history/explain/explanation.h"

namespace hearth::api {

// Fills them into the chain of {"chain": […]}, of runs whose traces are still kept, and calls `done` with it once. Bus
// thread. `automations` must outlive it.
void explain_runs(Automations& automations, json::object explained, const Explanation::Names& names,
                  std::function<void(json::object explained)> done);

}  // namespace hearth::api
