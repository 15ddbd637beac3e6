// SPDX-License-Identifier: Apache-2.0
// The registry as one caller may see it. It has an item that people made if its entity may be read, and an area,
// device, label or the like if the caller may read something that belongs to it.
//
// Immutable values; any thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/registry/registry_data.h"
#include "core/rights/rights.h"
#include "core/states/state.h"

namespace hearth::core {

// The registry of one moment, restricted to entities that a caller may read and what they belong to. Immutable.
class ReadableRegistry {
 public:
  ReadableRegistry(std::shared_ptr<const RegistryData> data, Rights rights)
      : data_(std::move(data)), rights_(std::move(rights)) {}

  bool all() const { return rights_.reads_all(); }
  bool reads(std::string_view entity_id) const { return rights_.reads(entity_id, *data_); }
  // True if an entity of the device is readable; one in the area, itself or by its device; one in an area there.
  bool reads_device(std::string_view id) const;
  bool reads_area(std::string_view id) const;
  bool reads_floor(std::string_view id) const;
  // True if something readable carries it.
  bool reads_label(std::string_view id) const;
  bool reads_category(std::string_view id) const;
  // The collection's items that may be read, in their order. Valid as long as this.
  std::vector<const Item*> items_of(std::string_view collection) const;
  // Null if it is absent or may not be read. Valid as long as this.
  const Item* find_item(std::string_view collection, std::string_view id) const;
  // True for items whose entities, or one of them, may be read: those that they are, that they belong to, or that carry
  // them. Also for documents (core/registry/collection.h), whose text the caller must check.
  bool reads_item(std::string_view collection, std::string_view id) const;

  // True if it is the id of an entity, a device, an area or a floor that may not be read.
  bool hides(std::string_view id) const;

  bool registered(std::string_view entity_id) const { return data_->entities.contains(entity_id); }
  // The entry of a readable entity, or the one that it would have (core/client_entity.h).
  RegisteredEntity entry_of(const State& state) const;

  // Null if it is absent or may not be read.
  const RegisteredEntity* find_entity(std::string_view entity_id) const;
  const Device* find_device(std::string_view id) const { return reads_device(id) ? data_->devices.find(id) : nullptr; }
  const Area* find_area(std::string_view id) const { return reads_area(id) ? data_->areas.find(id) : nullptr; }
  const Floor* find_floor(std::string_view id) const { return reads_floor(id) ? data_->floors.find(id) : nullptr; }
  // Calls function(const Floor&) and so on for each that may be read.
  template <class Function>
  void for_each_floor(Function&& function) const {
    for (const auto& [id, floor] : data_->floors) {
      if (reads_floor(id)) function(floor);
    }
  }
  template <class Function>
  void for_each_area(Function&& function) const {
    for (const auto& [id, area] : data_->areas) {
      if (reads_area(id)) function(area);
    }
  }
  template <class Function>
  void for_each_device(Function&& function) const {
    for (const auto& [id, device] : data_->devices) {
      if (reads_device(id)) function(device);
    }
  }
  template <class Function>
  void for_each_entity(Function&& function) const {
    for (const auto& [id, entity] : data_->entities) {
      if (reads(id)) function(entity);
    }
  }
  // True if neither the entity nor its device is disabled.
  bool enabled(const RegisteredEntity& entity) const { return data_->enabled(entity); }
  std::string friendly_name(const RegisteredEntity& entity) const { return data_->friendly_name(entity); }
  // The entities of the device that may be read.
  std::vector<std::string> entities_of_device(std::string_view id) const;

 private:
  bool reads_any(const RegistryData::EntityGroup* entities) const;
  bool reads_entity_of(std::string_view collection, std::string_view id) const;

  std::shared_ptr<const RegistryData> data_;
  Rights rights_;
};

}  // namespace hearth::core
