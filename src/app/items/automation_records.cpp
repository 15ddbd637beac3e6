// SPDX-License-Identifier: Apache-2.0
#include "app/items/automation_records.h"

namespace hearth::app {

void AutomationRecords::trace(std::string_view domain, const std::string& item_id, const std::string& run_id,
                              std::function<void(std::optional<std::string> json)> read) {
  const std::string item = std::string(domain) + "." + item_id;
  engine_.traces().get(item, run_id, engine_.shown_in_traces(domain, item_id), std::move(read));
}

base::Result<void> AutomationRecords::debug(Debug what, const std::string& item, const std::string& run) {
  switch (what) {
    case Debug::go_on:
      return debugger().go_on(item, run);
    case Debug::step:
      return debugger().step(item, run);
    case Debug::end:
      return debugger().end(item, run);
  }
  return {};
}

}  // namespace hearth::app
