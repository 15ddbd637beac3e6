// SPDX-License-Identifier: Apache-2.0
#include "building_blocks/shell_commands/plan_parser.h"

#include <utility>

#include "automation/config/item_node.h"
#include "base/config/config_secrets.h"
#include "building_blocks/named_items.h"

namespace hearth::building_blocks {
ShellConfiguration parse_shell_commands(const automation::Sections& sections) {
  ShellConfiguration made;
  for (const NamedItem& item : read_named(sections, kShellCommand, made)) {
    auto plan = std::make_shared<ShellPlan>();
    plan->name = item.name;
    plan->place = automation::place_of(item.node);
    plan->error = item.error;
    std::vector<std::string> warnings;
    if (plan->error.empty()) {
      if (item.node.is_text()) plan->written = item.node.text().value();
      if (auto read = CommandText::parse(item.node, warnings))
        plan->command = std::move(*read);
      else
        plan->error = read.error().message;
    }
    plan->secrets = base::secrets_in(item.node);
    for (std::string& warning : warnings)
      made.warnings.push_back(base::without_secrets(std::move(warning), plan->secrets));
    plan->error = base::without_secrets(std::move(plan->error), plan->secrets);
    made.plans.push_back(std::move(plan));
  }
  return made;
}

}  // namespace hearth::building_blocks
