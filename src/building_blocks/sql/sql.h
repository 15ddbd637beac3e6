// SPDX-License-Identifier: Apache-2.0
// `sql:` and `sensor: - platform: sql`: the answers of databases. Any thread.
#pragma once

#include <string_view>

#include "building_blocks/polled/plan_reader.h"

namespace hearth::building_blocks {

constexpr std::string_view kSql = "sql";

void read_sql(const automation::Sections& sections, PlanReader& reader);

}  // namespace hearth::building_blocks
