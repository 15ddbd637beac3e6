// SPDX-License-Identifier: Apache-2.0
#include "domains/helpers/helpers.h"

#include <algorithm>

#include "base/log/log.h"
#include "core/registry/helper_types.h"

namespace hearth::domains {

Helpers::Helpers(core::Hub& hub, EntityTable& entities) : hub_(hub), entities_(entities) {
  start_ = hub.bus.listen(core::event_type::kPlatformStart, [this](const core::Event&) {
    started_ = true;
    for (const core::CollectionType& type : core::helper_types()) follow(type.name);
  });
  ready_ = hub.bus.listen(core::event_type::kPlatformStarted, [this](const core::Event&) {
    is_ready_ = true;
    for (const auto& [key, helper] : helpers_) helper->home_started();
  });
  updates_ = hub.bus.listen(core::event_type::kCollectionUpdated, [this](const core::Event& event) {
    if (!started_ || !event.registry_change) return;
    const auto types = core::helper_types();
    const auto type = std::ranges::find(types, event.registry_change->collection, &core::CollectionType::name);
    if (type != types.end()) follow(type->name);
  });
}

Helpers::~Helpers() = default;

void Helpers::follow(std::string_view collection) {
  const auto registry = hub_.registry.snapshot();
  std::erase_if(helpers_, [&](const auto& each) {
    const auto& [of, id] = each.first;
    if (of != collection) return false;
    const core::Item* const item = registry->find_item(collection, id);
    if (item && each.second->can_become(*item)) return false;
    entities_.remove(each.second->entity_id());
    return true;
  });
  for (const core::Item* const item : registry->items_of(collection)) {
    if (const auto known = helpers_.find({item->collection, item->id}); known != helpers_.end())
      known->second->apply(*item, entities_);
    else
      add(*item);
  }
}

void Helpers::add(const core::Item& item) {
  auto helper = make_helper(hub_, item, true);
  helper->use(journal_);
  if (const auto added = helper->add(entities_); !added) {
    base::log_warning("domains", "the {} {} is left out: {}", item.collection, item.id, added.error().message);
    return;
  }
  if (is_ready_) helper->home_started();
  helpers_.emplace(Key{item.collection, item.id}, std::move(helper));
}

}  // namespace hearth::domains
