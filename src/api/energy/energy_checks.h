// SPDX-License-Identifier: Apache-2.0
// Faults of the meters that people chose, as energy/validate answers them. Any thread.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "base/json/json.h"
#include "core/view.h"

namespace hearth::api {

// Of each statistic that is named and has statistics.
struct CheckedStatistic {
  bool recorded = true;
  bool total = false;
  bool backwards = false;  // took back within the last weeks
  std::optional<std::string> unit;
};
using CheckedStatistics = std::map<std::string, CheckedStatistic, std::less<>>;

// Under the names of the lists of the preferences, a list of findings for each of their entries.
json::object energy_findings(const core::View& home, const json::object& preferences, const CheckedStatistics& known);

}  // namespace hearth::api
