// SPDX-License-Identifier: Apache-2.0
#include "automation/items/edited_item.h"

#include <utility>

#include "automation/config/json_node.h"
#include "automation/config/parsing.h"
#include "automation/items/key_renames.h"

namespace hearth::automation {
namespace {

using base::ConfigNode;

std::string id_in(const ConfigNode& automation) {
  const ConfigNode* const id = automation.find("id");
  return id ? id->text().value_or("") : std::string();
}

json::value meaning_of(const ConfigNode& automation) {
  return with_new_keys(ItemKind::automation, written_as(automation));
}

// Puts what `former` has at the same place for each masked secret. Whether there was one.
bool unmask(json::value& edited, const json::value* former) {
  if (edited.is_string()) {
    if (edited.get_string() != kMaskedSecret || !former || !former->is_string()) return false;
    edited = *former;
    return true;
  }
  bool any = false;
  if (auto* const list = edited.if_array()) {
    const auto* const others = former ? former->if_array() : nullptr;
    for (std::size_t i = 0; i < list->size(); ++i)
      any = unmask((*list)[i], others && i < others->size() ? &(*others)[i] : nullptr) || any;
  }
  if (auto* const object = edited.if_object()) {
    const auto* const others = former ? former->if_object() : nullptr;
    for (auto& entry : *object) any = unmask(entry.value(), others ? others->if_contains(entry.key()) : nullptr) || any;
  }
  return any;
}

// As it is, with the secrets of the former one where it has them masked.
ConfigNode with_secrets(const ConfigNode& edited, const ConfigNode& former) {
  json::value meaning = meaning_of(edited);
  const json::value before = meaning_of(former);
  return unmask(meaning, &before) ? node_of_json(meaning, edited.place().key) : edited;
}

// The node with the automation in its place; null if it is not there.
std::optional<ConfigNode> replaced(const ConfigNode& node, const std::string& id, const ConfigNode& automation) {
  if (node.is_map() && id_in(node) == id) return with_secrets(automation, node);
  for (std::size_t i = 0; i < node.items().size(); ++i) {
    if (id_in(node.items()[i]) != id) continue;
    ConfigNode::List items = node.items();
    items[i] = with_secrets(automation, items[i]);
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
