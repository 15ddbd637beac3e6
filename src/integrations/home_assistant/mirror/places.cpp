// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/mirror/places.h"

#include "base/json/json_fields.h"
#include "core/registry/collection.h"
#include "core/registry/registry_edit.h"
#include "integrations/home_assistant/mirror/texts.h"

namespace hearth::integrations::home_assistant {
namespace {

template <class Place>
void take_by_id(const std::vector<Place>& from, base::TextMap<Place>& to) {
  to.clear();
  for (const Place& each : from) to.insert_or_assign(each.id, each);
}

template <class Place>
const Place* find_by_id(const base::TextMap<Place>& places, std::string_view id) {
  const auto found = places.find(id);
  return found == places.end() ? nullptr : &found->second;
}

// The id of the one of this name; empty if there is none.
std::string id_of_name(const auto& entries, std::string_view name) {
  for (const auto& [id, entry] : entries) {
    if (core::same_name(entry.name, name)) return id;
  }
  return {};
}

}  // namespace

void Places::take(const Registries& registries) {
  take_by_id(registries.areas, areas_there_);
  take_by_id(registries.floors, floors_there_);
  take_by_id(registries.labels, labels_there_);
  for (const auto& [id, area] : areas_there_) {
    if (areas_.contains(id)) continue;
    if (const OptionalText known = known_area(id)) areas_.emplace(id, *known);
  }
}

OptionalText Places::known_area(const OptionalText& id_there) const {
  if (!id_there || options_.areas == Options::Areas::none) return {};
  const auto data = hub_.registry.snapshot();
  const auto known = areas_.find(*id_there);
  if (known != areas_.end() && data->areas.contains(known->second)) return known->second;
  const OtherArea* const area = find_by_id(areas_there_, *id_there);
  if (!area) return {};
  if (data->areas.contains(area->id)) return area->id;
  std::string id = id_of_name(data->areas, fit(area->name));
  return id.empty() ? OptionalText() : OptionalText(std::move(id));
}

OptionalText Places::area(const OptionalText& id_there) {
  if (OptionalText known = known_area(id_there)) {
    areas_.insert_or_assign(*id_there, *known);
    return known;
  }
  const OtherArea* const area = id_there ? find_by_id(areas_there_, *id_there) : nullptr;
  if (!area || area->name.empty() || options_.areas != Options::Areas::match) return {};
  if (hub_.registry.snapshot()->areas.size() >= kMostAreas) return {};
  std::string id = hub_.registry.ensure_area(fit(area->name), floor(area->floor_id), fitting(area->icon)).id;
  areas_.insert_or_assign(area->id, id);
  return id;
}

OptionalText Places::floor(const OptionalText& id_there) {
  const OtherFloor* const floor = id_there ? find_by_id(floors_there_, *id_there) : nullptr;
  if (!floor || floor->name.empty()) return {};
  if (hub_.registry.snapshot()->floors.contains(floor->id)) return floor->id;
  return hub_.registry.ensure_floor(fit(floor->name), floor->level).id;
}

std::string Places::known_label(const std::string& id_there) const {
  const auto data = hub_.registry.snapshot();
  if (const auto known = labels_.find(id_there);
      known != labels_.end() && data->find_item(core::kLabels, known->second))
    return known->second;
  if (data->find_item(core::kLabels, id_there)) return id_there;
  const OtherLabel* const label = find_by_id(labels_there_, id_there);
  const std::string name = fit(label ? label->name : id_there);
  for (const core::Item* const item : data->items_of(core::kLabels)) {
    if (core::same_name(base::text_view_at(item->fields, "name"), name)) return item->id;
  }
  return {};
}

std::string Places::label(const std::string& id_there) {
  if (std::string known = known_label(id_there); !known.empty()) return known;
  const OtherLabel* const label = find_by_id(labels_there_, id_there);
  const std::string name = fit(label && !label->name.empty() ? label->name : id_there);
  json::object fields{{"name", name}};
  if (label && label->icon) fields["icon"] = fit(*label->icon);
  if (label && label->color) fields["color"] = fit(*label->color);
  if (label && label->description) fields["description"] = fit(*label->description);
  const auto context = core::Context::create(hub_.clock.now());
  auto made = hub_.registry.create_label(fields, context);
  if (!made) made = hub_.registry.create_label({{"name", name}}, context);
  return made ? made->id : std::string();
}

core::Texts Places::known_labels(const std::vector<std::string>& ids_there) const {
  core::Texts here;
  for (const std::string& id : ids_there) {
    if (here.size() >= core::Registry::kMaxTexts) break;
    std::string known = known_label(id);
    here.insert(known.empty() ? id : std::move(known));
  }
  return here;
}

core::Texts Places::labels(const std::vector<std::string>& ids_there) {
  core::Texts here;
  for (const std::string& id : ids_there) {
    if (here.size() >= core::Registry::kMaxTexts) break;
    std::string made = label(id);
    if (made.empty()) continue;
    labels_.insert_or_assign(id, made);
    here.insert(std::move(made));
  }
  return here;
}

}  // namespace hearth::integrations::home_assistant
