// SPDX-License-Identifier: Apache-2.0
// The entity of a helper, whose state only the hub keeps. Bus thread only.
#pragma once

#include "core/collection.h"
#include "core/hub.h"
#include "domains/entity_table.h"
#include "domains/thing.h"

namespace hearth::domains {

class HelperEntity : public ThingDevice {
 public:
  // The hub must outlive it. `editable`: people make and change it by commands; otherwise a file says it.
  HelperEntity(core::Hub& hub, core::Item item, bool editable);

  // Fails as EntityTable::add.
  base::Result<void> add(const Kind& kind, EntityTable& entities);
  // Follows the item, if that has another revision.
  void take(const core::Item& item, EntityTable& entities);

  std::string_view entity_id() const { return thing_->entity_id(); }
  const core::Item& item() const { return item_; }
  void act(const Action& action, const json::object& data) override;

 private:
  void show();
  void set_options(const json::array& options);

  core::Hub& hub_;
  core::Item item_;
  const bool editable_;
  Thing* thing_ = nullptr;
};

}  // namespace hearth::domains
