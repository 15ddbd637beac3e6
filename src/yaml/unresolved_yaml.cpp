// SPDX-License-Identifier: Apache-2.0
#include "yaml/unresolved_yaml.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "automation/config/parsing.h"

namespace hearth::yaml {
namespace {

using base::ConfigNode;

bool holds_nothing(const ConfigNode& node) {
  return node.is_empty() || (node.is_list() && node.items().empty()) || (node.is_map() && node.entries().empty());
}

// Its content, except the item at that key.
std::vector<const ConfigNode*> values_of(const ConfigNode& node, const std::optional<std::string>& but) {
  std::vector<const ConfigNode*> values;
  for (const ConfigNode& item : node.items()) values.push_back(&item);
  for (const ConfigNode::Entry& entry : node.entries()) values.push_back(&entry.value);
  std::erase_if(values, [&](const ConfigNode* value) { return but && value->place().key == *but; });
  return values;
}

bool same_writing(const ConfigNode& former, const ConfigNode& present) {
  if (former.broken() || present.broken()) return former.broken() && present.broken();
  if (former.is_text() != present.is_text() || former.is_list() != present.is_list() ||
      former.is_map() != present.is_map() || former.is_empty() != present.is_empty())
    return false;
  return !former.is_text() ||
         (former.text().value() == present.text().value() && former.writing().plain == present.writing().plain);
}

// The last part of a key: what a list's items are called changes if one of them goes.
std::string_view entry_name(const ConfigNode& map, std::size_t index, const std::optional<std::string>& but) {
  std::size_t number = 0;
  for (const ConfigNode::Entry& entry : map.entries()) {
    if (but && entry.value.place().key == *but) continue;
    if (number++ == index) return entry.key;
  }
  return {};
}

bool has_masked(const json::value& value) {
  if (value.is_string()) return value.get_string() == automation::kMaskedSecret;
  if (const auto* const list = value.if_array()) return std::ranges::any_of(*list, has_masked);
  const auto* const object = value.if_object();
  return object && std::ranges::any_of(*object, [](const auto& entry) { return has_masked(entry.value()); });
}

// Items of the former list for those of the present one: those that are the same, then the only ones that are left.
std::optional<json::value> unmasked_list(const json::array& wanted, const json::array& shown,
                                         const json::array& source) {
  std::vector<bool> taken(shown.size());
  std::vector<std::size_t> open;  // of the present list, with secrets
  json::array made = wanted;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (!has_masked(wanted[i])) continue;
    std::vector<std::size_t> same;
    for (std::size_t k = 0; k < shown.size(); ++k) {
      if (!taken[k] && shown[k] == wanted[i]) same.push_back(k);
    }
    // Equals in a row are told apart by their secrets only: then each is who stands where it stood.
    const bool alike = std::ranges::all_of(same, [&](std::size_t k) { return source[k] == source[same.front()]; });
    const auto here = std::ranges::find(same, i);
    if (!alike && (wanted.size() != shown.size() || here == same.end())) return std::nullopt;
    if (same.empty()) {
      open.push_back(i);
      continue;
    }
    const std::size_t former = here == same.end() ? same.front() : i;
    taken[former] = true;
    made[i] = source[former];
  }
  std::vector<std::size_t> left;
  for (std::size_t k = 0; k < shown.size(); ++k) {
    if (!taken[k] && has_masked(shown[k])) left.push_back(k);
  }
  if (open.empty()) return made;
  if (open.size() != 1 || left.size() != 1) return std::nullopt;
  auto item = unmasked(wanted[open.front()], shown[left.front()], source[left.front()]);
  if (!item) return std::nullopt;
  made[open.front()] = std::move(*item);
  return made;
}

}  // namespace

base::Result<LoadedYaml> load_marked(const std::string& text, const std::string& file) {
  const auto document = parse_yaml_text(text, file);
  if (!document) return std::unexpected(document.error());
  return marked_meaning(*document, text, file);
}

base::Result<LoadedYaml> marked_meaning(const std::optional<YAML::Node>& document, const std::string& text,
                                        const std::string& file) {
  const auto resolve = [](std::string_view tag, const std::string& value,
                          const ConfigNode::Place& place) -> std::optional<base::Result<ConfigNode>> {
    return ConfigNode(place, fmt::format("{}{} {}", kTagMark, tag, value));
  };
  return convert_yaml(document, text, file, {.resolve = resolve, .tolerates = [](std::string_view) { return true; }});
}

bool has_mark(const json::value& value) {
  if (value.is_string()) return value.get_string().starts_with(kTagMark);
  if (const auto* const list = value.if_array()) return std::ranges::any_of(*list, has_mark);
  const auto* const object = value.if_object();
  return object && std::ranges::any_of(*object, [](const auto& entry) { return has_mark(entry.value()); });
}

const ConfigNode* node_at(const ConfigNode& root, std::string_view key) {
  if (root.place().key == key) return &root;
  for (const ConfigNode* const value : values_of(root, {})) {
    const std::string& inner = value->place().key;
    if (!key.starts_with(inner)) continue;
    if (key.size() > inner.size() && key[inner.size()] != '.' && key[inner.size()] != '[') continue;
    if (const ConfigNode* const found = node_at(*value, key)) return found;
  }
  return nullptr;
}

std::optional<ConfigNode::Place> first_difference(const ConfigNode& former, const std::optional<std::string>& removed,
                                                  const ConfigNode& present, const std::optional<std::string>& added) {
  if (removed && added && former.place().key == *removed && present.place().key == *added) return {};
  const auto before = values_of(former, removed), after = values_of(present, added);
  if (before.empty() && after.empty() && !former.is_text() && !present.is_text() && !former.broken()) {
    const bool both = (holds_nothing(former) || removed) && (holds_nothing(present) || added);
    return both ? std::nullopt : std::optional(former.place());
  }
  if (before.empty() && !former.is_text() && !former.broken() && !after.empty()) return after.front()->place();
  if (after.empty() && !present.is_text() && !present.broken() && !before.empty()) return before.front()->place();
  if (!same_writing(former, present)) return former.place();
  for (std::size_t i = 0; i < std::max(before.size(), after.size()); ++i) {
    if (i >= after.size()) return before[i]->place();
    if (i >= before.size()) return after[i]->place();
    if (former.is_map() && entry_name(former, i, removed) != entry_name(present, i, added)) return before[i]->place();
    if (auto found = first_difference(*before[i], removed, *after[i], added)) return found;
  }
  return {};
}

std::optional<json::value> unmasked(const json::value& wanted, const json::value& shown, const json::value& source) {
  if (!has_masked(wanted)) return wanted;
  if (wanted == shown) return source;
  const auto *const list = wanted.if_array(), *const shown_list = shown.if_array(), *const sources = source.if_array();
  if (list && shown_list && sources) {
    if (shown_list->size() != sources->size()) return std::nullopt;
    return unmasked_list(*list, *shown_list, *sources);
  }
  const auto *const object = wanted.if_object(), *const shown_object = shown.if_object(),
                    *const source_object = source.if_object();
  if (!object || !shown_object || !source_object) return std::nullopt;
  json::object made;
  for (const auto& [key, value] : *object) {
    const json::value *const was = shown_object->if_contains(key), *const from = source_object->if_contains(key);
    auto inner = unmasked(value, was ? *was : json::value(), from ? *from : json::value());
    if (!inner) return std::nullopt;
    made[key] = std::move(*inner);
  }
  return made;
}

}  // namespace hearth::yaml
