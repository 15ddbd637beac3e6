// SPDX-License-Identifier: Apache-2.0
// The entity of an automation or a script. Bus thread only.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "automation/items/item.h"
#include "domains/entities/entity.h"

namespace hearth::automation {

class ItemEntity final : public domains::Entity {
 public:
  struct Shown {
    bool on = false;
    std::size_t current = 0;
    std::optional<base::Timestamp> last_triggered = {};
    std::string error = {};  // why it is unavailable; empty if it is not
  };

  ItemEntity(std::shared_ptr<const Item> item, Shown shown);

  // Of the item as it is now in force.
  void apply(std::shared_ptr<const Item> item) { item_ = std::move(item); }
  void show(Shown shown, const core::Context& context);
  const Shown& shown() const { return shown_; }

  static domains::EntityInfo info_of(const Item& item);
  // Facts of the last run in the state; `last` may be null.
  static Shown restored(const core::StatePtr& last);

 private:
  std::string value() const override { return shown_.on ? "on" : "off"; }
  void add_capabilities(json::object& attributes) const override;
  void add_attributes(json::object& attributes) const override;

  std::shared_ptr<const Item> item_;
  Shown shown_;
};

}  // namespace hearth::automation
