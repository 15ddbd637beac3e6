// SPDX-License-Identifier: Apache-2.0
#include "domains/helpers.h"

#include <algorithm>

#include "base/log.h"
#include "core/helper_types.h"
#include "domains/kinds.h"

namespace hearth::domains {

Helpers::Helpers(core::Hub& hub, EntityTable& entities) : hub_(hub), entities_(entities) {
  start_ = hub.bus.listen(core::event_type::kPlatformStart, [this](const core::Event&) {
    started_ = true;
    for (const core::CollectionType& type : core::helper_types()) follow(*find_kind(type.name));
  });
  ready_ = hub.bus.listen(core::event_type::kPlatformStarted, [this](const core::Event&) {
    is_ready_ = true;
    for (const auto& [key, helper] : helpers_) helper->home_started();
  });
  updates_ = hub.bus.listen(core::event_type::kCollectionUpdated, [this](const core::Event& event) {
    if (!started_ || !event.registry_change) return;
    const auto types = core::helper_types();
    const auto type = std::ranges::find(types, event.registry_change->collection, &core::CollectionType::name);
    if (type != types.end()) follow(*find_kind(type->name));
  });
}

Helpers::~Helpers() = default;

void Helpers::follow(const Kind& kind) {
  const auto registry = hub_.registry.snapshot();
  std::erase_if(helpers_, [&](const auto& each) {
    const auto& [collection, id] = each.first;
    if (collection != kind.domain || registry->find_item(collection, id)) return false;
    entities_.remove(each.second->entity_id());
    return true;
  });
  for (const core::Item* const item : registry->items_of(kind.domain)) {
    if (const auto known = helpers_.find({item->collection, item->id}); known != helpers_.end())
      known->second->take(*item, entities_);
    else
      add(kind, *item);
  }
}

void Helpers::add(const Kind& kind, const core::Item& item) {
  auto helper = make_helper(hub_, item, true);
  helper->use(journal_);
  if (const auto added = helper->add(kind, entities_); !added) {
    base::log_warning("domains", "the {} {} is left out: {}", kind.domain, item.id, added.error().message);
    return;
  }
  if (is_ready_) helper->home_started();
  helpers_.emplace(Key{item.collection, item.id}, std::move(helper));
}

}  // namespace hearth::domains
