// SPDX-License-Identifier: Apache-2.0
#include "configured/section.h"

#include "base/log/log.h"

namespace hearth::configured {

Fault fault_at_place(std::string error, std::string_view of) {
  // The place stays the same as long as the fault does.
  std::string id = std::string(of) + " " + error.substr(0, error.find(": "));
  return {.id = std::move(id), .entity_id = {}, .name = {}, .error = std::move(error)};
}

std::vector<Fault> report(const Findings& findings, std::string_view log) {
  std::vector<Fault> faults;
  for (const std::string& error : findings.faults) {
    base::log_warning(log, "{}", error);
    faults.push_back(fault_at_place(error));
  }
  for (const std::string& warning : findings.warnings) base::log_warning(log, "{}", warning);
  return faults;
}

}  // namespace hearth::configured
