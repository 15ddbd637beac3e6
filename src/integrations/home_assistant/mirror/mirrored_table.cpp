// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/mirror/mirrored_table.h"

#include <utility>

namespace hearth::integrations::home_assistant {

std::string_view MirroredTable::entity_there(std::string_view entity_id_here) const {
  const MirroredEntity* const entity = find_here(entity_id_here);
  return entity && entity->mirrored() ? std::string_view(entity->there) : std::string_view();
}

std::string_view MirroredTable::entity_here(std::string_view entity_id_there) const {
  const MirroredEntity* const entity = find(entity_id_there);
  return entity && entity->here ? entity->here->str() : std::string_view();
}

std::string_view MirroredTable::device_there(std::string_view device_id_here) const {
  const auto found = devices_there_.find(device_id_here);
  return found == devices_there_.end() ? std::string_view() : std::string_view(found->second);
}

std::string_view MirroredTable::device_here(std::string_view device_id_there) const {
  const auto found = devices_here_.find(device_id_there);
  return found == devices_here_.end() ? std::string_view() : std::string_view(found->second);
}

MirroredEntity* MirroredTable::find(std::string_view there) const {
  const auto found = entities_.find(there);
  return found == entities_.end() ? nullptr : found->second.get();
}

MirroredEntity* MirroredTable::find_here(std::string_view here) const {
  const auto found = by_here_.find(here);
  return found == by_here_.end() ? nullptr : found->second;
}

MirroredEntity& MirroredTable::add(std::string there) {
  auto made = std::make_unique<MirroredEntity>();
  made->there = std::move(there);
  MirroredEntity& entity = *made;
  entities_.emplace(entity.there, std::move(made));
  return entity;
}

void MirroredTable::place(MirroredEntity& entity, core::EntityId here) {
  if (entity.here == here) return;
  displace(entity);
  if (MirroredEntity* const other = find_here(here.str())) displace(*other);
  entity.here.emplace(std::move(here));
  by_here_.emplace(entity.here->str(), &entity);
  if (differs(entity)) ++differing_;
}

void MirroredTable::displace(MirroredEntity& entity) {
  if (!entity.here) return;
  if (differs(entity)) --differing_;
  by_here_.erase(entity.here->str());
  entity.here.reset();
}

void MirroredTable::rename_there(MirroredEntity& entity, std::string there) {
  if (differs(entity)) --differing_;
  auto node = entities_.extract(entity.there);
  entity.there = std::move(there);
  node.key() = entity.there;
  entities_.insert(std::move(node));
  if (differs(entity)) ++differing_;
}

void MirroredTable::erase(MirroredEntity& entity) {
  displace(entity);
  // Its key is its own text.
  const auto node = entities_.extract(entity.there);
}

void MirroredTable::place_device(const std::string& there, const std::string& here) {
  displace_device(there);
  devices_here_.emplace(there, here);
  devices_there_.insert_or_assign(here, there);
}

void MirroredTable::displace_device(const std::string& there) {
  const auto node = devices_here_.extract(there);
  if (!node.empty()) devices_there_.erase(node.mapped());
}

}  // namespace hearth::integrations::home_assistant
