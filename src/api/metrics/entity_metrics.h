// SPDX-License-Identifier: Apache-2.0
// Values of entities as metrics, under the names that the larger hub's exporter gives them, so that dashboards made for
// it fit. Its counters of events (state_change, automation_triggered_count) are not among them: these metrics are made
// of the states as they are.
#pragma once

#include <string>

#include "api/metrics/metric_text.h"
#include "core/states/state_table.h"
#include "core/values/entity_filter.h"

namespace hearth::api {

// Of the section `prometheus` in configuration.yaml.
struct EntityMetrics {
  core::EntityFilter entities;
  std::string prefix = "homeassistant";  // of the names, before an underscore; empty: none
};

void add_entity_metrics(MetricText& text, const core::StateTable& states, const EntityMetrics& wanted);

}  // namespace hearth::api
