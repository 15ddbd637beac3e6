// SPDX-License-Identifier: Apache-2.0
#include "app/automation_records.h"

namespace hearth::app {

void AutomationRecords::trace(std::string_view domain, const std::string& item_id, const std::string& run_id,
                              std::function<void(std::optional<std::string> json)> read) {
  const std::string item = std::string(domain) + "." + item_id;
  engine_.traces().get(item, run_id, engine_.config_of_item(domain, item_id), std::move(read));
}

}  // namespace hearth::app
