// SPDX-License-Identifier: Apache-2.0
#include "import_ha/steps/registry_items.h"

#include <vector>

#include "base/digest.h"

namespace hearth::import_ha {

Thing broken_thing(std::string what, std::string id, const ItemReader& item, const std::string& file) {
  return {.what = std::move(what),
          .id = std::move(id),
          .fate = Fate::left,
          .why = Why::broken,
          .text = item.complaint(),
          .file = file};
}

Thing duplicate_thing(std::string what, const std::string& id, const json::object& here, const json::object& there,
                      const std::string& file) {
  Thing thing{.what = std::move(what), .id = id, .file = file};
  std::string keys;
  for (const auto& [key, value] : there) {
    const json::value* const own = here.if_contains(key);
    if (!own || *own != value) keys += (keys.empty() ? "" : ", ") + std::string(key);
  }
  if (keys.empty()) return thing;
  thing.fate = Fate::left;
  thing.why = Why::duplicate;
  thing.text = fmt::format("is there already, with another {}", keys);
  return thing;
}

// Pairs of texts. Identifiers of very old homes have more or fewer parts.
std::set<std::pair<std::string, std::string>> pairs_of(ItemReader& item, std::string_view key, bool& odd) {
  std::set<std::pair<std::string, std::string>> pairs;
  const json::array* const list = item.array(key);
  if (!list) return pairs;
  for (const json::value& each : *list) {
    std::vector<std::string> parts;
    if (const json::array* const array = each.if_array()) {
      for (const json::value& part : *array)
        parts.push_back(part.is_string() ? std::string(part.get_string()) : base::to_json(part));
    }
    if (parts.empty()) continue;
    odd = odd || parts.size() != 2;
    std::string second;
    for (std::size_t place = 1; place < parts.size(); ++place) second += (place == 1 ? "" : "_") + parts[place];
    pairs.emplace(parts[0], second);
  }
  return pairs;
}

void place_item(core::Item item, Thing thing, core::RegistryData& data, Report& report) {
  if (const core::Item* const here = data.find_item(item.collection, item.id)) {
    if (here->fields != item.fields) {
      thing.fate = Fate::left;
      thing.why = Why::duplicate;
      thing.text = "is there already, and differs";
    }
    return report.add(std::move(thing));
  }
  const auto place = data.place_of(item);
  if (!place) {
    thing.fate = Fate::left;
    thing.why = Why::out_of_range;
    thing.text = place.error().message;
    return report.add(std::move(thing));
  }
  item.position = *place;
  data.set(std::move(item));
  report.add(std::move(thing));
}

std::string made_registry_id(std::string_view platform, std::string_view domain, std::string_view unique_id) {
  return base::fingerprint(fmt::format("{}\n{}\n{}", platform, domain, unique_id));
}

void add_text(std::string& to, std::string_view text) {
  if (!to.empty() && !text.empty()) to += "; ";
  to += text;
}

}  // namespace hearth::import_ha
