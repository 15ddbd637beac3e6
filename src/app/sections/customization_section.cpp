// SPDX-License-Identifier: Apache-2.0
#include "app/sections/customization_section.h"

#include <fmt/format.h>

#include "automation/config/parsing.h"
#include "core/values/entity_id.h"

namespace hearth::app {
namespace {

using base::ConfigNode;

constexpr std::string_view kCustomize = "customize", kCustomizeDomain = "customize_domain",
                           kCustomizeGlob = "customize_glob";
constexpr std::size_t kMostGlobs = 1'000, kMostStars = 8;

// Calls take(key, attributes) for each entry that has attributes.
template <class Take>
void for_each_entry(const ConfigNode* home, std::string_view key, Findings& findings, Take&& take) {
  const ConfigNode* const node = home ? home->find(key) : nullptr;
  if (!node || node->is_empty()) return;
  const auto wrong = [&](const ConfigNode& at, std::string message) {
    findings.push_back({Finding::Kind::wrong, at.place().line, std::move(message), Finding::Instead::standard});
  };
  if (!node->is_map()) return wrong(*node, node->mismatch("ids, each with attributes").message);
  for (const ConfigNode::Entry& entry : node->entries()) {
    if (entry.value.is_empty()) continue;
    if (!entry.value.is_map()) {
      wrong(entry.value, entry.value.mismatch("attributes with values").message);
      continue;
    }
    // A value that could not be read is left out; the others count.
    ConfigNode::Map good;
    for (const ConfigNode::Entry& each : entry.value.entries()) {
      if (const base::Error* const why = each.value.broken())
        wrong(each.value, why->message);
      else
        good.push_back(each);
    }
    const ConfigNode attributes(entry.value.place(), std::move(good));
    const std::string refused = take(entry.key, automation::written_as(attributes).as_object());
    if (!refused.empty()) wrong(entry.value, entry.value.error(refused).message);
  }
}

}  // namespace

bool is_customization(std::string_view key) {
  return key == kCustomize || key == kCustomizeDomain || key == kCustomizeGlob;
}

core::Customizations read_customizations(const ConfigNode* home, Findings& findings) {
  core::Customizations read;
  for_each_entry(home, kCustomize, findings, [&](const std::string& key, json::object attributes) -> std::string {
    const auto id = core::EntityId::parse(key);
    if (!id) return "expected an entity such as light.kitchen";
    read.entities.insert_or_assign(std::string(id->str()), std::move(attributes));
    return {};
  });
  for_each_entry(home, kCustomizeDomain, findings, [&](const std::string& key, json::object attributes) -> std::string {
    if (!core::is_slug(key)) return "expected a domain such as light";
    read.domains.insert_or_assign(key, std::move(attributes));
    return {};
  });
  for_each_entry(home, kCustomizeGlob, findings, [&](const std::string& key, json::object attributes) -> std::string {
    if (key.empty() || key.size() > core::Glob::kMaxLength || core::Glob::stars(key) > kMostStars)
      return fmt::format("expected a pattern such as light.kitchen_*, with {} stars at most", kMostStars);
    if (read.globs.size() == kMostGlobs) return fmt::format("more than {} patterns", kMostGlobs);
    read.globs.emplace_back(core::Glob(key), std::move(attributes));
    return {};
  });
  return read;
}

}  // namespace hearth::app
