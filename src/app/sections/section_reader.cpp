// SPDX-License-Identifier: Apache-2.0
#include "app/sections/section_reader.h"

#include <algorithm>

namespace hearth::app {
namespace {

using base::ConfigNode;
using base::ConfigProblem;

std::vector<const ConfigNode*> nodes_of(const std::vector<ConfigProblem>& problems, bool unknown) {
  std::vector<const ConfigNode*> nodes;
  for (const ConfigProblem& each : problems) {
    if (each.unknown == unknown) nodes.push_back(each.node);
  }
  return nodes;
}

bool is_good(const std::vector<ConfigProblem>& problems) {
  return std::ranges::all_of(problems, &ConfigProblem::unknown);
}

// The section without the keys in which something is wrong.
ConfigNode without_keys(const ConfigNode& section, const std::vector<const ConfigNode*>& wrong) {
  std::vector<const ConfigNode*> keys;
  for (const ConfigNode::Entry& entry : section.entries()) {
    if (std::ranges::any_of(wrong, [&](const ConfigNode* node) { return holds(entry.value, node); }))
      keys.push_back(&entry.value);
  }
  return without(section, keys);
}

}  // namespace

bool holds(const ConfigNode& tree, const ConfigNode* node) {
  if (&tree == node) return true;
  const auto below = [&](const ConfigNode& each) { return holds(each, node); };
  return std::ranges::any_of(tree.items(), below) ||
         std::ranges::any_of(tree.entries(), below, &ConfigNode::Entry::value);
}

ConfigNode without(const ConfigNode& tree, const std::vector<const ConfigNode*>& nodes) {
  const auto goes = [&](const ConfigNode& node) { return std::ranges::find(nodes, &node) != nodes.end(); };
  if (nodes.empty()) return tree;
  if (goes(tree)) return ConfigNode(tree.place());
  if (tree.is_list()) {
    ConfigNode::List list;
    for (const ConfigNode& item : tree.items()) {
      if (!goes(item)) list.push_back(without(item, nodes));
    }
    return ConfigNode(tree.place(), std::move(list));
  }
  if (!tree.is_map()) return tree;
  ConfigNode::Map map;
  for (const ConfigNode::Entry& entry : tree.entries()) {
    if (!goes(entry.value)) map.push_back({entry.key, without(entry.value, nodes)});
  }
  return ConfigNode(tree.place(), std::move(map));
}

ConfigNode SectionReader::read(std::string_view name, const ConfigNode* node, const Read& read, SectionRule rule) {
  const auto problems = [&](const ConfigNode& section) {
    base::ConfigReader in(section);
    read(in);
    return in.problems();
  };
  return check(name, node ? *node : ConfigNode(), problems, rule);
}

ConfigNode SectionReader::check(std::string_view name, const ConfigNode& node, const Check& check, SectionRule rule) {
  std::vector<ConfigProblem> wrong;
  const auto problems = check(node);
  for (const ConfigProblem& each : problems) {
    if (each.unknown)
      findings_.push_back({Finding::Kind::left_out, each.line, each.message});
    else
      wrong.push_back(each);
  }
  const ConfigNode known = without(node, nodes_of(problems, true));
  if (wrong.empty()) {
    good_.insert_or_assign(std::string(name), known);
    return known;
  }
  wrong_.emplace_back(name);
  return mended(name, node, wrong, check, rule);
}

ConfigNode SectionReader::mended(std::string_view name, const ConfigNode& node, const std::vector<ConfigProblem>& wrong,
                                 const Check& check, SectionRule rule) {
  const auto refuses = [&](const ConfigProblem& each) {
    return rule.refuses || std::ranges::any_of(node.entries(), [&](const ConfigNode::Entry& entry) {
             return rule.refusing_keys.contains(entry.key) && holds(entry.value, each.node);
           });
  };
  const auto report = [&](Finding::Instead instead) {
    for (const ConfigProblem& each : wrong) {
      const bool refused = refuses(each);
      findings_.push_back({refused ? Finding::Kind::refused : Finding::Kind::wrong, each.line, each.message,
                           refused ? Finding::Instead::none : instead});
    }
  };
  const ConfigNode* const last = last_good_ && !rule.refuses ? last_good_->section(name) : nullptr;
  if (last && is_good(check(*last))) {
    report(Finding::Instead::last_good);
    return *last;
  }
  report(Finding::Instead::standard);
  const std::vector<const ConfigNode*> unknown = nodes_of(check(node), true);
  std::vector<const ConfigNode*> values = unknown, nodes = nodes_of(wrong, false);
  values.insert(values.end(), nodes.begin(), nodes.end());
  // First without the wrong values, then without the keys that hold them, then without the section.
  for (const ConfigNode& tried : {without(node, values), without_keys(node, values), ConfigNode(node.place())}) {
    const bool has_lost_all = rule.whole && !tried.is_empty();
    if (!has_lost_all && is_good(check(tried))) return tried;
  }
  return ConfigNode();
}

}  // namespace hearth::app
