// SPDX-License-Identifier: Apache-2.0
#include "automation/config/part_check.h"

#include "automation/config/action_parser.h"
#include "automation/config/json_node.h"
#include "automation/config/limited_templates.h"
#include "automation/config/parsing.h"

namespace hearth::automation {
namespace {

// The value of a key that stands by itself.
template <class Value, class Read>
base::Result<Value> read_part(const json::value& value, const std::string& key, Read read) {
  base::ConfigNode::Map map;
  map.push_back({key, node_of_json(value, key)});
  const base::ConfigNode section(base::ConfigNode::Place{}, std::move(map));
  ConfigReader in(section);
  auto made = read(in, in.find(key));
  return in.finish(std::move(made));
}

}  // namespace

base::Result<std::vector<Condition>> read_conditions_of(const json::value& conditions) {
  return read_part<std::vector<Condition>>(
      conditions, "conditions", [](ConfigReader& in, const ConfigNode* node) { return read_conditions(in, node); });
}

base::Result<Block> read_steps_of(const json::value& steps, const std::string& key) {
  return read_part<Block>(steps, key,
                          [](ConfigReader& in, const ConfigNode* node) { return read_block(in, node, "sequence"); });
}

std::string check_triggers(const json::value& triggers) {
  const ConfigNode node = with_limited_assumed(node_of_json(triggers, "triggers"));
  const auto read = parse_triggers(&node);
  return read ? "" : read.error().message;
}

std::string check_conditions(const json::value& conditions) {
  const auto read = read_conditions_of(conditions);
  return read ? "" : read.error().message;
}

std::string check_actions(const json::value& actions) {
  const auto read = read_steps_of(actions, "actions");
  return read ? "" : read.error().message;
}

}  // namespace hearth::automation
