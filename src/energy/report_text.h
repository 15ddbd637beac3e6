// SPDX-License-Identifier: Apache-2.0
// The report as JSON, for hearth/energy. Any thread.
#pragma once

#include <map>
#include <string>

#include "base/json/json.h"
#include "energy/report.h"

namespace hearth::energy {

struct ReportNames {
  std::string period, currency;
  std::map<std::string, std::string, std::less<>> names;  // of statistics
};

json::object report_json(const ReportInput& input, const Report& report, const ReportNames& names);

}  // namespace hearth::energy
