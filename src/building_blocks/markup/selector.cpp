// SPDX-License-Identifier: Apache-2.0
#include "building_blocks/markup/selector.h"

#include <algorithm>
#include <array>
#include <map>

#include "base/text/text.h"
#include "core/values/entity_id.h"

namespace hearth::building_blocks {
namespace {

using After = Selector::Part::After;
using AttributeHow = Selector::Attribute::How;

const xmlAttr* attribute_of(const xmlNode& node, std::string_view name) {
  for (const xmlAttr* each = node.properties; each; each = each->next) {
    if (base::equals_ignoring_case(reinterpret_cast<const char*>(each->name), name)) return each;
  }
  return nullptr;
}

bool has_word(std::string_view text, std::string_view word) {
  constexpr std::string_view kBlanks = " \t\r\n\f";
  for (std::size_t at = 0; (at = text.find_first_not_of(kBlanks, at)) != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(kBlanks, at), text.size());
    if (text.substr(at, end - at) == word) return true;
    at = end;
  }
  return false;
}

bool fits(const Selector::Attribute& wanted, const xmlNode& node) {
  const xmlAttr* const found = attribute_of(node, wanted.name);
  if (!found || wanted.how == AttributeHow::present) return found != nullptr;
  std::string has = value_of(*found), value = wanted.value;
  if (wanted.any_case) {
    has = core::lower_case(has);
    value = core::lower_case(value);
  }
  switch (wanted.how) {
    case AttributeHow::word:
      return has_word(has, value);
    case AttributeHow::language:
      return has == value || has.starts_with(value + "-");
    case AttributeHow::begins:
      return !value.empty() && has.starts_with(value);
    case AttributeHow::ends:
      return !value.empty() && has.ends_with(value);
    case AttributeHow::contains:
      return !value.empty() && has.contains(value);
    default:
      return has == value;
  }
}

bool is_last_element(const xmlNode& node) {
  const xmlNode* next = node.next;
  while (next && next->type != XML_ELEMENT_NODE) next = next->next;
  return !next;
}

// The number of an element among its siblings, and among those with its tag; from 1.
struct Numbers {
  std::int64_t of_all = 0, of_type = 0;
};

bool fits(const Selector::Part& part, const xmlNode& node, const Numbers& numbers) {
  if (!part.tag.empty() && !base::equals_ignoring_case(name_of(node), part.tag)) return false;
  if (!part.id.empty()) {
    const xmlAttr* const id = attribute_of(node, "id");
    if (!id || value_of(*id) != part.id) return false;
  }
  if (!part.classes.empty()) {
    const xmlAttr* const own = attribute_of(node, "class");
    const std::string classes = own ? value_of(*own) : std::string();
    if (!std::ranges::all_of(part.classes, [&](const auto& each) { return has_word(classes, each); })) return false;
  }
  if (part.is_last_child && !is_last_element(node)) return false;
  return std::ranges::all_of(part.attributes, [&](const auto& each) { return fits(each, node); }) &&
         std::ranges::all_of(
             part.nths, [&](const auto& each) { return each.has(each.of_type ? numbers.of_type : numbers.of_all); });
}

// For each branch a bit for each of its first parts that may end at an element.
using Ends = std::array<std::uint32_t, Selector::kMostBranches>;

// An element whose children are looked at.
struct Level {
  const xmlNode* next = nullptr;   // the child to look at
  Ends parent = {}, above = {};    // at the element; at it and at all that it is in
  Ends before = {}, earlier = {};  // at the child before; at all children before
  std::int64_t number = 0;
  std::map<std::string_view, std::int64_t> of_tag = {};
};

void add_ends(Ends& to, const Ends& from) {
  for (std::size_t each = 0; each < to.size(); ++each) to[each] |= from[each];
}

}  // namespace

bool Selector::Nth::has(std::int64_t number) const {
  const std::int64_t distance = number - first;
  return step == 0 ? distance == 0 : distance % step == 0 && distance / step >= 0;
}

const xmlNode* Selector::find(const Document& document, std::int64_t index) const {
  std::vector<const xmlNode*> found;
  std::vector<Level> levels;
  levels.push_back({.next = document.root()});
  while (!levels.empty()) {
    Level& level = levels.back();
    const xmlNode* const node = level.next;
    if (!node) {
      levels.pop_back();
      continue;
    }
    level.next = node->next;
    if (node->type != XML_ELEMENT_NODE) continue;
    const Numbers numbers{++level.number, ++level.of_tag[name_of(*node)]};
    Ends here{};
    bool selected = false;
    for (std::size_t number = 0; number < branches_.size(); ++number) {
      const Branch& branch = branches_[number];
      for (std::size_t each = 0; each < branch.size(); ++each) {
        const After after = branch[each].after;
        const std::uint32_t reached = after == After::child        ? level.parent[number]
                                      : after == After::descendant ? level.above[number]
                                      : after == After::next       ? level.before[number]
                                                                   : level.earlier[number];
        const bool follows = after == After::start || (reached >> (each - 1) & 1U) != 0;
        if (follows && fits(branch[each], *node, numbers)) here[number] |= std::uint32_t{1} << each;
      }
      selected = selected || (here[number] >> (branch.size() - 1) & 1U) != 0;
    }
    if (selected) {
      if (index >= 0 && static_cast<std::int64_t>(found.size()) == index) return node;
      found.push_back(node);
    }
    level.before = here;
    add_ends(level.earlier, here);
    if (!node->children) continue;
    Level inner{.next = node->children, .parent = here, .above = level.above};
    add_ends(inner.above, here);
    levels.push_back(std::move(inner));
  }
  const std::int64_t at = index + static_cast<std::int64_t>(found.size());
  return index < 0 && at >= 0 ? found[static_cast<std::size_t>(at)] : nullptr;
}

}  // namespace hearth::building_blocks
