// SPDX-License-Identifier: Apache-2.0
// Items that people keep in an entity of the hub's own, such as those of a to-do list or the events of a calendar. They
// are a collection of the registry, which survives a restart and is deleted with the entity. Bus thread only.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/registry/registry.h"
#include "domains/entities/thing.h"

namespace hearth::domains {

class EntityItems {
 public:
  // The items of one moment, in their order.
  struct List {
    std::shared_ptr<const core::RegistryData> registry;  // keeps them alive
    std::vector<const core::Item*> items;
  };

  explicit EntityItems(core::Registry& registry) : registry_(registry) {}
  // Call once, with the entity that is in the home. Until then there are no items.
  void attach(Thing& thing) { thing_ = &thing; }
  Thing* thing() const { return thing_; }

  List list() const;
  // True if the fields fit in, as a new item or instead of the one with the id. Fails with invalid.
  base::Result<void> fits(const json::object& fields, const std::string& id = {}) const;
  // Each carries the context of the entity's last command. REQUIRES: what has to fit, fits; each id is there.
  void add(json::object fields);
  void update(const std::string& id, json::object fields);
  void remove(std::span<const std::string> ids);

 private:
  std::string collection() const;

  core::Registry& registry_;
  Thing* thing_ = nullptr;
};

}  // namespace hearth::domains
