// SPDX-License-Identifier: Apache-2.0
// Reads a configuration with automations, scripts, scenes, helpers and template entities: this ends within its bounds;
// errors name the file; an item without errors is read in the same way again, and once more from what clients are shown
// of it.
#include <fmt/format.h>

#include "app/settings/settings.h"
#include "automation/config/json_node.h"
#include "automation/items/helper_parser.h"
#include "automation/items/item_parser.h"
#include "automation/items/key_renames.h"
#include "automation/items/scene_parser.h"
#include "base/testing/fuzz_check.h"
#include "derived/sensors/plan_parser.h"
#include "template_entities/plan_parser.h"

namespace {

using namespace hearth;

void check_message(const std::string& message) {
  base::must(base::utf8_length(message).has_value(), "a message is UTF-8");
  base::must(message.starts_with("configuration.yaml:"), "a message names the file");
}

void check_items(const std::vector<std::shared_ptr<const automation::Item>>& items,
                 const std::vector<std::shared_ptr<const automation::Item>>& again, std::string_view domain) {
  base::must(items.size() == again.size(), "the same text has the same items");
  for (std::size_t index = 0; index < items.size(); ++index) {
    const automation::Item& item = *items[index];
    base::must_equal(item.fingerprint, again[index]->fingerprint, "the same text has the same fingerprint");
    if (!item.error.empty()) {
      check_message(item.error);
      continue;
    }
    if (!item.secrets.empty()) continue;
    automation::Sections shown;
    const json::value config = automation::with_new_keys(item);
    if (domain == "automation")
      shown.automations.push_back(automation::node_of_json(json::array{config}, "automation"));
    else
      shown.scripts.push_back(automation::node_of_json(json::object{{item.unique_id, config}}, "script"));
    const auto read = automation::parse_configuration(shown);
    const auto& list = domain == "automation" ? read.automations : read.scripts;
    base::must(list.size() == 1, "what clients are shown is an item");
    base::must_equal(list.front()->error, "", "what clients are shown can be written");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = base::fuzz_text(data, size);
  const auto settings = app::parse_settings(text, {});
  const auto read = automation::parse_configuration(settings.automations);
  const auto again = automation::parse_configuration(settings.automations);
  for (const std::string& fault : read.faults) check_message(fault);
  check_items(read.automations, again.automations, "automation");
  check_items(read.scripts, again.scripts, "script");
  static_cast<void>(automation::parse_scenes(settings.automations));
  static_cast<void>(automation::parse_helpers(settings.automations));
  static_cast<void>(template_entities::parse_configuration(settings.automations));
  static_cast<void>(derived::parse_configuration(settings.automations));
  return 0;
}
