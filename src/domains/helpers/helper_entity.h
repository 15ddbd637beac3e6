// SPDX-License-Identifier: Apache-2.0
// A helper whose entity is a Thing of the domain of its collection. Bus thread only.
#pragma once

#include "domains/entities/helper.h"
#include "domains/entities/thing.h"

namespace hearth::domains {

class HelperEntity : public Helper, public ThingDevice {
 public:
  using Helper::Helper;

  base::Result<void> add(EntityTable& entities) final;
  void apply(const core::Item& item, EntityTable& entities) final;
  std::string_view entity_id() const override { return thing_ ? thing_->entity_id() : std::string_view(); }

 protected:
  // Its value after a start; `last`: its last state, null if there is none. It is not in the home yet.
  virtual Report first(const Kind& kind, const core::State* last) = 0;
  virtual Abilities abilities() const { return {}; }
  virtual void added_to_home(EntityTable& /*entities*/) {}
  // After another item is there.
  virtual void show() = 0;

  Thing* thing_ = nullptr;  // in the home
};

}  // namespace hearth::domains
