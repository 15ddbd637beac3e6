// SPDX-License-Identifier: Apache-2.0
// An entity that a person or a file has defined as an item of a collection, and that only the hub keeps. Bus thread
// only.
#pragma once

#include <memory>
#include <string_view>
#include <utility>

#include "core/hub.h"
#include "core/journal.h"
#include "core/registry/collection.h"
#include "domains/entities/entity_table.h"

namespace hearth::domains {

class Helper {
 public:
  // The hub must outlive it. `editable`: people make and change it by commands; otherwise a file says it.
  Helper(core::Hub& hub, core::Item item, bool editable) : hub_(hub), item_(std::move(item)), editable_(editable) {}
  virtual ~Helper() = default;
  Helper(const Helper&) = delete;
  Helper& operator=(const Helper&) = delete;

  // Fails as EntityTable::add.
  virtual base::Result<void> add(EntityTable& entities) = 0;
  // Follows the item, if that has another revision. REQUIRES: can_become.
  virtual void apply(const core::Item& item, EntityTable& entities) = 0;
  // True if it is of the item's kind, too: otherwise another helper has to take its place.
  virtual bool can_become(const core::Item& /*item*/) const { return true; }
  // Its past's wishes may happen now: automations listen. Once, after add.
  virtual void home_started() {}
  // Changes from now on survive a kill.
  void use(core::Journal* journal) { journal_ = journal; }

  virtual std::string_view entity_id() const = 0;
  const core::Item& item() const { return item_; }

 protected:
  core::Hub& hub_;
  core::Item item_;
  const bool editable_;
  core::Journal* journal_ = nullptr;  // null if nothing needs to survive a kill
};

// Of the item's collection.
std::unique_ptr<Helper> make_helper(core::Hub& hub, core::Item item, bool editable);

}  // namespace hearth::domains
