// SPDX-License-Identifier: Apache-2.0
#include "automation/item_entity.h"

#include "base/text/timestamp.h"

namespace hearth::automation {
namespace {

constexpr std::string_view kItemDomains[] = {"automation", "script"};

}  // namespace

ItemEntity::ItemEntity(std::shared_ptr<const Item> item, Shown shown)
    : Entity(kItemDomains[item->kind == ItemKind::script], info_of(*item), nullptr),
      item_(std::move(item)),
      shown_(std::move(shown)) {}

domains::EntityInfo ItemEntity::info_of(const Item& item) {
  domains::EntityInfo info;
  info.integration = kItemDomains[item.kind == ItemKind::script];
  info.unique_id = item.unique_id;
  info.object_id = item.object_id;
  info.name = item.alias;
  info.icon = item.icon;
  info.available = item.error.empty();
  return info;
}

ItemEntity::Shown ItemEntity::restored(const core::StatePtr& last) {
  Shown shown{.on = true};
  if (!last) return shown;
  if (last->value() == "off") shown.on = false;
  const json::object attributes = last->attributes();
  if (const json::value* const time = attributes.if_contains("last_triggered"); time && time->is_string()) {
    if (const auto read = base::parse_timestamp(time->get_string())) shown.last_triggered = *read;
  }
  // A broken one was on or off before that, too.
  if (const json::value* const on = attributes.if_contains("was_on"); on && on->is_bool()) shown.on = on->get_bool();
  return shown;
}

void ItemEntity::show(Shown shown, const core::Context& context) {
  shown_ = std::move(shown);
  const bool available = shown_.error.empty();
  if (this->available() != available)
    set_available(available);
  else
    write(&context);
}

void ItemEntity::add_capabilities(json::object& attributes) const {
  if (item_->has_id) attributes["id"] = item_->unique_id;
  attributes["last_triggered"] =
      shown_.last_triggered ? json::value(json::string(base::to_string(*shown_.last_triggered))) : json::value();
  if (!shown_.error.empty()) {
    attributes["error"] = shown_.error;
    if (item_->kind == ItemKind::automation) attributes["was_on"] = shown_.on;
  }
}

void ItemEntity::add_attributes(json::object& attributes) const {
  attributes["mode"] = to_string(item_->mode);
  attributes["current"] = shown_.current;
  if (item_->mode == Mode::queued || item_->mode == Mode::parallel) attributes["max"] = item_->max;
}

}  // namespace hearth::automation
