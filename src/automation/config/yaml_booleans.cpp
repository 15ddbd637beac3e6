// SPDX-License-Identifier: Apache-2.0
#include "automation/config/yaml_booleans.h"

#include <fmt/format.h>

#include <algorithm>

#include "automation/config/parsing.h"

namespace hearth::automation {
namespace {

// Whose values are anything, not triggers and conditions.
constexpr std::string_view kFree[] = {"data",      "data_template",     "event_data", "event_data_template", "target",
                                      "variables", "trigger_variables", "metadata",   "use_blueprint",       "fields"};

bool says(const ConfigNode& node, std::string_view key, std::string_view value) {
  const ConfigNode* const found = node.find(key);
  return found && found->is_text() && found->text() == value;
}

}  // namespace

std::optional<std::string> unquoted_state(const ConfigNode& node) {
  if (!node.is_text() || !node.writing().plain) return {};
  const json::value meant = plain_value(*node.text());
  const bool* const truth = meant.if_bool();
  return truth ? std::optional<std::string>(*truth ? "on" : "off") : std::nullopt;
}

std::optional<std::string> unquoted_warning(const ConfigNode& node) {
  const auto state = unquoted_state(node);
  if (!state) return {};
  return node
      .error(fmt::format("{} without quotes is a truth value; it is read as the state \"{}\"", *node.text(), *state))
      .message;
}

void warn_of_unquoted_states(const ConfigNode& item, std::vector<std::string>& warnings) {
  for (const ConfigNode& each : item.items()) warn_of_unquoted_states(each, warnings);
  const auto look_at = [&](std::string_view key) {
    for (const ConfigNode& value : one_or_many(item.find(key))) {
      if (auto warning = unquoted_warning(value)) warnings.push_back(std::move(*warning));
    }
  };
  if (!item.find("attribute")) {
    if (says(item, "trigger", "state") || says(item, "platform", "state")) {
      for (const char* const key : {"to", "from", "not_to", "not_from"}) look_at(key);
    }
    if (says(item, "condition", "state")) look_at("state");
  }
  for (const ConfigNode::Entry& entry : item.entries()) {
    if (std::ranges::find(kFree, entry.key) == std::end(kFree)) warn_of_unquoted_states(entry.value, warnings);
  }
}

}  // namespace hearth::automation
