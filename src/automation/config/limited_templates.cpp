// SPDX-License-Identifier: Apache-2.0
#include "automation/config/limited_templates.h"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "automation/config/json_node.h"
#include "automation/config/parsing.h"
#include "automation/values/data.h"

namespace hearth::automation {
namespace {

constexpr std::array<std::string_view, 10> kLimited{"enabled", "event_type", "event_data", "context",   "topic",
                                                    "payload", "webhook_id", "tag_id",     "device_id", "offset"};
// Of these, what a trigger may do without.
constexpr std::array<std::string_view, 2> kOptional{"enabled", "offset"};
// And what has keys.
constexpr std::array<std::string_view, 2> kMaps{"event_data", "context"};

template <std::size_t size>
bool is_one_of(const std::array<std::string_view, size>& keys, std::string_view key) {
  return std::ranges::find(keys, key) != keys.end();
}

bool is_text_with_template(const ConfigNode& node) {
  const auto text = node.is_text() ? node.text() : base::fail(base::ErrorCode::invalid, "");
  return text && (text->contains("{{") || text->contains("{%"));
}

bool has_template(const ConfigNode& node) {
  const auto of_entry = [](const ConfigNode::Entry& entry) { return has_template(entry.value); };
  return is_text_with_template(node) || std::ranges::any_of(node.items(), has_template) ||
         std::ranges::any_of(node.entries(), of_entry);
}

// A copy in which `change` has replaced each template; what it gives for none is left out of the trigger.
using Change = std::function<std::optional<ConfigNode>(std::string_view key, const ConfigNode& text)>;

std::optional<ConfigNode> changed(std::string_view key, const ConfigNode& node, const Change& change) {
  if (is_text_with_template(node)) return change(key, node);
  if (node.is_list()) {
    ConfigNode::List items;
    for (const ConfigNode& item : node.items()) {
      if (auto made = changed(key, item, change)) items.push_back(std::move(*made));
    }
    return ConfigNode(node.place(), std::move(items));
  }
  if (!node.is_map()) return node;
  ConfigNode::Map map;
  for (const ConfigNode::Entry& entry : node.entries()) {
    if (auto made = changed({}, entry.value, change)) map.push_back({entry.key, std::move(*made)});
  }
  return ConfigNode(node.place(), std::move(map));
}

// The possible value of a template: nothing where that is possible.
std::optional<ConfigNode> assumed(std::string_view key, const ConfigNode& text) {
  if (is_one_of(kOptional, key)) return {};
  if (is_one_of(kMaps, key)) return ConfigNode(text.place(), ConfigNode::Map());
  return ConfigNode(text.place(), "assumed");
}

ConfigNode changed_triggers(const ConfigNode& triggers, const Change& change) {
  if (triggers.is_list()) {
    ConfigNode::List items;
    for (const ConfigNode& item : triggers.items()) items.push_back(changed_triggers(item, change));
    return {triggers.place(), std::move(items)};
  }
  if (!triggers.is_map()) return triggers;
  ConfigNode::Map map;
  for (const ConfigNode::Entry& entry : triggers.entries()) {
    if (entry.key == "triggers")
      map.push_back({entry.key, changed_triggers(entry.value, change)});
    else if (!is_one_of(kLimited, entry.key))
      map.push_back(entry);
    else if (auto made = changed(entry.key, entry.value, change))
      map.push_back({entry.key, std::move(*made)});
  }
  return {triggers.place(), std::move(map)};
}

}  // namespace

bool has_limited_templates(const ConfigNode& triggers) {
  if (triggers.is_list()) return std::ranges::any_of(triggers.items(), has_limited_templates);
  return std::ranges::any_of(triggers.entries(), [](const ConfigNode::Entry& entry) {
    return entry.key == "triggers" ? has_limited_templates(entry.value)
                                   : is_one_of(kLimited, entry.key) && has_template(entry.value);
  });
}

ConfigNode with_limited_rendered(const ConfigNode& triggers, const Renderer& renderer,
                                 const templates::VariablesView& variables, bool* late) {
  const bool sees_late = late && *late;  // variables that are assumed, too
  return changed_triggers(triggers, [&](std::string_view key, const ConfigNode& text) -> std::optional<ConfigNode> {
    const auto rendered = limited_rendered(text, renderer, variables);
    const bool is_late = late && (sees_late || rendered.asks_registry || names_this(text));
    if (is_late) *late = true;
    if (rendered.value) return node_of_json(*rendered.value, text.place());
    return is_late && !rendered.goes_beyond ? assumed(key, text) : ConfigNode(text.place(), rendered.value.error());
  });
}

ConfigNode with_limited_assumed(const ConfigNode& triggers) {
  return changed_triggers(triggers, assumed);
}

}  // namespace hearth::automation
