// SPDX-License-Identifier: Apache-2.0
#include "building_blocks/named_items.h"

#include <fmt/format.h>

#include <map>

#include "automation/config/item_node.h"
#include "base/config/config_secrets.h"
#include "core/values/entity_id.h"

namespace hearth::building_blocks {
namespace {

constexpr std::string_view kReload = "reload";

std::string unfit(const std::string& name) {
  if (name == kReload) return "expected another name: reload is the service that reads the files again";
  return core::is_slug(name) ? "" : "expected a name of small letters, digits and underscores";
}

}  // namespace

std::vector<NamedItem> read_named(const automation::Sections& sections, std::string_view section,
                                  configured::Findings& findings) {
  std::vector<NamedItem> items;
  std::map<std::string, std::string, std::less<>> places;
  for (const auto& [key, content] : sections.commands) {
    if (key != section || content.is_empty()) continue;
    if (const base::Error* const why = content.broken()) {
      findings.lose(why->message);
      continue;
    }
    if (!content.is_map()) {
      findings.lose(
          base::without_secrets(content.mismatch("names, each with what it does").message, base::secrets_in(content)));
      continue;
    }
    for (const auto& [name, node] : content.entries()) {
      const auto fault = [&](std::string_view why) { findings.faults.push_back(node.error(why).message); };
      if (const std::string why = unfit(name); !why.empty()) {
        fault(why);
      } else if (items.size() == kMostItems) {
        fault(fmt::format("more than {} in {}; this one and later ones are left out", kMostItems, section));
        return items;
      } else if (const auto [first, is_new] = places.emplace(name, automation::place_of(node)); !is_new) {
        fault(fmt::format("{} is there already, at {}", name, first->second));
      } else {
        NamedItem item{name, node, {}};
        automation::collect_broken(node, item.error);
        items.push_back(std::move(item));
      }
    }
  }
  return items;
}

}  // namespace hearth::building_blocks
