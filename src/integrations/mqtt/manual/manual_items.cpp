// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/manual/manual_items.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "base/config/config_secrets.h"
#include "base/text/nearest_word.h"
#include "core/values/entity_id.h"
#include "integrations/mqtt/components/abbreviations.h"
#include "integrations/mqtt/components/component.h"
#include "integrations/mqtt/components/components.h"
#include "integrations/mqtt/discovery/plan.h"

namespace hearth::integrations::mqtt {
namespace {

using base::ConfigNode;

// Keys of the connection that are maps.
constexpr std::array<std::string_view, 2> kConnectionMaps{"birth_message", "will_message"};
// Keys that no table of a component has.
constexpr std::array<std::string_view, 4> kOtherKeys{"device", "origin", "availability", "~"};
constexpr std::string_view kEverything = {};

bool is_component(std::string_view name) {
  return std::ranges::find(kComponents, name, &Component::name) != std::end(kComponents);
}

// configuration.yaml:14: mqtt.sensor[0]; in an included file the node's own key does not name the component.
std::string place_of(const ConfigNode& node, std::string_view component) {
  const ConfigNode::Place& place = node.place();
  std::string key = place.key;
  if (!key.contains(component)) key = fmt::format("mqtt.{}{}{}", component, key.starts_with('[') ? "" : ".", key);
  if (key.ends_with('.')) key.pop_back();
  return fmt::format("{}:{}: {}", place.file ? *place.file : "", place.line, key);
}

bool has_secret(const ConfigNode& node) {
  return node.writing().secret || std::ranges::any_of(node.items(), has_secret) ||
         std::ranges::any_of(node.entries(), [](const ConfigNode::Entry& entry) { return has_secret(entry.value); });
}

// Null, true and false if they stand without quotes; numbers stay as they are written, 1.10 for example: who needs a
// number reads it.
json::value scalar(const ConfigNode& node) {
  const std::string text = node.text().value();
  if (!node.writing().plain) return json::value(text);
  if (text == "~" || text == "null" || text == "Null" || text == "NULL") return nullptr;
  if (text == "true" || text == "True" || text == "TRUE") return true;
  if (text == "false" || text == "False" || text == "FALSE") return false;
  return json::value(text);
}

json::value value_of(const ConfigNode& node) {
  if (node.is_text()) return scalar(node);
  if (node.is_list()) {
    json::array list;
    for (const ConfigNode& item : node.items()) list.push_back(value_of(item));
    return list;
  }
  if (!node.is_map()) return nullptr;
  json::object map;
  for (const ConfigNode::Entry& entry : node.entries()) map[entry.key] = value_of(entry.value);
  return map;
}

// The parts of it that could not be read, such as an included file.
void find_broken(const ConfigNode& node, std::vector<std::string>& faults) {
  if (const base::Error* const error = node.broken()) faults.push_back(error->message);
  for (const ConfigNode& item : node.items()) find_broken(item, faults);
  for (const ConfigNode::Entry& entry : node.entries()) find_broken(entry.value, faults);
}

// The node of a key by its long name, otherwise the item.
const ConfigNode& node_of(const ConfigNode& item, std::string_view key) {
  key = key.substr(0, key.find('.'));
  for (const ConfigNode::Entry& entry : item.entries()) {
    if (entry.key == key || long_key(KeysOf::component, entry.key) == key) return entry.value;
  }
  return item;
}

std::string fault_text(const ManualItem& item, std::string_view key, std::string_view reason) {
  const ConfigNode& node = node_of(item.node, key);
  std::string place = place_of(node, item.component);
  if (&node == &item.node && !key.empty()) place += fmt::format(".{}", key);
  if (const auto value = reason.find(", got "); value != std::string_view::npos && has_secret(node))
    return fmt::format("{}: {}, got a secret", place, reason.substr(0, value));
  return fmt::format("{}: {}", place, base::without_secrets(std::string(reason), base::secrets_in(item.node)));
}

std::vector<std::string_view> known_keys(const Component& component) {
  std::vector<std::string_view> known(kOtherKeys.begin(), kOtherKeys.end());
  for (const std::span<const Key> part : {component.keys, kSharedKeys}) {
    for (const Key& key : part) known.push_back(key.name);
  }
  return known;
}

void drop_unknown(Description& description) {
  const Component* const component = find_component(description.component, description.keys);
  if (!component) return;
  const auto known = known_keys(*component);
  std::vector<std::string> unknown;
  for (const auto& [name, value] : description.keys) {
    if (std::ranges::find(known, std::string_view(name)) == known.end()) unknown.emplace_back(name);
  }
  for (const std::string& name : unknown) {
    const auto meant = base::nearest_word(name, known);
    description.keys.erase(name);
    description.dropped.push_back(
        {name, meant ? fmt::format("unknown key, did you mean {}?", *meant)
                     : fmt::format("unknown key; a {} has {}", description.component, fmt::join(known, ", "))});
  }
}

}  // namespace

std::string ManualFault::text() const {
  return reason.contains(": ") && reason.contains(".yaml:") ? reason : fmt::format("{}: {}", place, reason);
}

bool is_manual(const ConfigNode::Entry& entry) {
  if (is_component(entry.key)) return true;
  const bool holds_more = entry.value.is_map() || entry.value.is_list();
  return holds_more && std::ranges::find(kConnectionMaps, entry.key) == kConnectionMaps.end();
}

ConfigNode joined_sections(const ConfigNode& connection, std::span<const ConfigNode> sections) {
  std::vector<std::pair<std::string, ConfigNode::List>> lists;
  const auto list_of = [&](std::string_view key) -> ConfigNode::List& {
    const auto found = std::ranges::find(lists, key, &std::pair<std::string, ConfigNode::List>::first);
    return found == lists.end() ? lists.emplace_back(key, ConfigNode::List()).second : found->second;
  };
  const auto take = [&](const ConfigNode& section) {
    if (!section.is_map()) {
      if (!section.is_empty())
        list_of(kEverything)
            .push_back(section.broken()
                           ? section
                           : ConfigNode(section.place(), section.mismatch("components, such as sensor, with lists")));
      return;
    }
    for (const ConfigNode::Entry& entry : section.entries()) {
      ConfigNode::List& list = list_of(entry.key);
      if (entry.value.is_list())
        list.insert(list.end(), entry.value.items().begin(), entry.value.items().end());
      else if (!entry.value.is_empty())
        list.push_back(entry.value);
    }
  };
  for (const ConfigNode& section : sections) {
    if (section.is_list())
      std::ranges::for_each(section.items(), take);
    else
      take(section);
  }
  ConfigNode::Map joined = connection.entries();
  for (auto& [key, list] : lists) joined.push_back({key, ConfigNode({nullptr, 0, "mqtt." + key}, std::move(list))});
  return ConfigNode(connection.place(), std::move(joined));
}

ManualItems read_manual_items(const ConfigNode& section) {
  ManualItems read;
  for (const ConfigNode::Entry& entry : section.entries()) {
    if (!entry.key.empty() && !is_manual(entry)) continue;
    const std::string& component = entry.key;
    const ConfigNode::List one{entry.value};
    for (const ConfigNode& node : entry.value.is_list() ? entry.value.items() : one) {
      const std::string place = place_of(node, component);
      if (node.broken()) {
        read.faults.push_back({place, node.broken()->message});
        read.unread.insert(component);
      } else if (!is_component(component)) {
        std::vector<std::string_view> names;
        for (const Component* const each : kComponents) names.push_back(each->name);
        const auto meant = base::nearest_word(component, names);
        read.faults.push_back(
            {place, fmt::format("unknown component {}{} Known: {}", component,
                                meant ? fmt::format(", did you mean {}?", *meant) : ".", fmt::join(names, ", "))});
      } else if (node.is_map()) {
        read.items.push_back({component, node});
      } else if (!node.is_empty()) {
        read.faults.push_back({place, "expected keys with values"});
      }
    }
  }
  return read;
}

ManualDescription describe_item(const ManualItem& item) {
  const json::object keys = value_of(item.node).as_object();
  ManualDescription made;
  made.description = describe_component({.component = item.component, .node_id = {}, .object_id = {}}, keys);
  made.place = place_of(item.node, item.component);
  made.text = fmt::format("{} {}", item.component, base::to_json(keys));
  for (const ConfigNode::Entry& entry : item.node.entries()) {
    if (has_secret(entry.value)) made.secrets.emplace_back(long_key(KeysOf::component, entry.key));
  }
  std::vector<std::string> broken;
  find_broken(item.node, broken);
  for (const std::string& each : broken) made.text += "\n" + each;
  if (!broken.empty()) made.description.refusal = broken.front();
  drop_unknown(made.description);
  return made;
}

std::string own_id(const ManualItem& item) {
  for (const std::string_view key : {"default_entity_id", "object_id", "name"}) {
    const ConfigNode& node = node_of(item.node, key);
    if (!node.is_text()) continue;
    const std::string text = node.text().value();
    const std::string slug = core::slugify(text.substr(text.find('.') + 1));
    if (!slug.empty()) return "yaml " + slug;
  }
  return "yaml";
}

std::vector<std::string> faults_of(const ManualItem& item, const std::vector<DroppedKey>& dropped,
                                   std::string_view refusal) {
  std::vector<std::string> texts;
  std::vector<std::string> broken;
  find_broken(item.node, broken);
  if (!broken.empty()) return broken;
  for (const DroppedKey& each : dropped) texts.push_back(fault_text(item, each.key, each.reason));
  if (refusal.empty()) return texts;
  const auto colon = refusal.find(": ");
  const bool names_key = colon != std::string_view::npos && !refusal.substr(0, colon).contains(' ');
  texts.push_back(names_key ? fault_text(item, refusal.substr(0, colon), refusal.substr(colon + 2))
                            : fault_text(item, "", refusal));
  return texts;
}

std::vector<std::string> check_manual_items(const ConfigNode& section) {
  std::vector<std::string> faults;
  const ManualItems read = read_manual_items(section);
  for (const ManualFault& fault : read.faults) faults.push_back(fault.text());
  TemplateTexts templates;
  for (const ManualItem& item : read.items) {
    Description description = describe_item(item).description;
    std::string refusal = description.refusal;
    if (refusal.empty()) {
      const bool has_device = description.device.has_value();
      const auto plan = plan_entity(description, has_device ? "device" : "", "", templates);
      if (!plan) refusal = plan.error().message;
    }
    for (std::string& each : faults_of(item, description.dropped, refusal)) faults.push_back(std::move(each));
  }
  return faults;
}

}  // namespace hearth::integrations::mqtt
