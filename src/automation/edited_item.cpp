// SPDX-License-Identifier: Apache-2.0
#include "automation/edited_item.h"

namespace hearth::automation {
namespace {

using base::ConfigNode;

std::string id_in(const ConfigNode& automation) {
  const ConfigNode* const id = automation.find("id");
  return id ? id->text().value_or("") : std::string();
}

// The node with the automation in its place; null if it is not there.
std::optional<ConfigNode> replaced(const ConfigNode& node, const std::string& id, const ConfigNode& automation) {
  if (node.is_map() && id_in(node) == id) return automation;
  for (std::size_t i = 0; i < node.items().size(); ++i) {
    if (id_in(node.items()[i]) != id) continue;
    ConfigNode::List items = node.items();
    items[i] = automation;
    return ConfigNode(node.place(), std::move(items));
  }
  return std::nullopt;
}

}  // namespace

base::Result<void> put_edited(Sections& sections, const ConfigNode& automation) {
  if (!automation.is_map()) return std::unexpected(automation.mismatch("an automation"));
  const std::string id = id_in(automation);
  if (id.empty()) return std::unexpected(automation.error("id: expected the id of the automation"));
  for (ConfigNode& node : sections.automations) {
    if (auto with = replaced(node, id, automation)) {
      node = std::move(*with);
      return {};
    }
  }
  sections.automations.emplace_back(automation.place(), ConfigNode::List{automation});
  return {};
}

}  // namespace hearth::automation
