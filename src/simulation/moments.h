// SPDX-License-Identifier: Apache-2.0
// Reads points in time as scenarios write them. Any thread.
#pragma once

#include "automation/values/local_times.h"
#include "base/config/config_node.h"
#include "base/result.h"

namespace hearth::simulation {

// A full local time such as 2026-03-28 23:00:00, or with an offset.
base::Result<base::Timestamp> parse_moment(const base::ConfigNode& node, const templates::Zone& zone);
// As above; or a time of day, the next one from `start` on; or seconds, 90s, 5m, 2h or an object of days, hours,
// minutes and seconds since `start`.
base::Result<base::Timestamp> parse_moment(const base::ConfigNode& node, const templates::Zone& zone,
                                           base::Timestamp start);
// Seconds, 90s, 5m, 2h, HH:MM, HH:MM:SS or such an object.
base::Result<base::Duration> parse_span(const base::ConfigNode& node);

}  // namespace hearth::simulation
