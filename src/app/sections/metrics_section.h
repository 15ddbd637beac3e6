// SPDX-License-Identifier: Apache-2.0
// Reads the section `prometheus`: which values of entities are among the metrics.
#pragma once

#include "api/metrics/entity_metrics.h"
#include "base/config/config_reader.h"
#include "core/values/limits.h"

namespace hearth::app {

// All entities, without `entities` or, as the larger hub says it, `filter`.
void read_metrics(base::ConfigReader& in, const core::Limits& limits, api::EntityMetrics& metrics);

}  // namespace hearth::app
