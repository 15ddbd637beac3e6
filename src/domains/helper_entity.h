// SPDX-License-Identifier: Apache-2.0
// The entity of a helper, whose state only the hub keeps. Bus thread only.
#pragma once

#include <memory>

#include "core/collection.h"
#include "core/hub.h"
#include "core/journal.h"
#include "domains/entity_table.h"
#include "domains/thing.h"

namespace hearth::domains {

class HelperEntity : public ThingDevice {
 public:
  // The hub must outlive it. `editable`: people make and change it by commands; otherwise a file says it.
  HelperEntity(core::Hub& hub, core::Item item, bool editable)
      : hub_(hub), item_(std::move(item)), editable_(editable) {}

  // Fails as EntityTable::add.
  base::Result<void> add(const Kind& kind, EntityTable& entities);
  // Follows the item, if that has another revision.
  void take(const core::Item& item, EntityTable& entities);
  // What its past asks for may happen now: automations listen. Once, after add.
  virtual void home_started() {}
  // What it does from now on survives a kill.
  void use(core::Journal* journal) { journal_ = journal; }

  std::string_view entity_id() const { return thing_->entity_id(); }
  const core::Item& item() const { return item_; }

 protected:
  // What it is after a start; `last`: its last state, null if there is none. It is not in the home yet.
  virtual Report first(const Kind& kind, const core::State* last) = 0;
  virtual void added_to_home() {}
  // After another item is there.
  virtual void show() = 0;

  core::Hub& hub_;
  core::Item item_;
  const bool editable_;
  core::Journal* journal_ = nullptr;  // null if nothing needs to survive a kill
  Thing* thing_ = nullptr;            // in the home
};

// Of the item's collection.
std::unique_ptr<HelperEntity> make_helper(core::Hub& hub, core::Item item, bool editable);

}  // namespace hearth::domains
