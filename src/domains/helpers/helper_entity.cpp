// SPDX-License-Identifier: Apache-2.0
#include "domains/helpers/helper_entity.h"

#include "core/registry/collection_type.h"
#include "domains/entities/kinds.h"
#include "domains/groups/typed_group.h"
#include "domains/helpers/group_helper.h"
#include "domains/helpers/kept_items_helper.h"
#include "domains/helpers/person_helper.h"
#include "domains/helpers/schedule_helper.h"
#include "domains/helpers/timer_helper.h"
#include "domains/helpers/value_helper.h"

namespace hearth::domains {
namespace {

EntityInfo info_of(const core::Item& item) {
  const json::value* const icon = item.fields.if_contains("icon");
  return {.integration = item.collection,
          .unique_id = item.id,
          .object_id = item.id,
          .name = std::string(item.fields.at("name").get_string()),
          .icon = icon ? std::string(icon->get_string()) : std::string()};
}

}  // namespace

base::Result<void> HelperEntity::add(EntityTable& entities) {
  const Kind& kind = *find_kind(core::find_collection_type(item_.collection)->domain);
  const auto registry = hub_.registry.snapshot();
  const core::RegisteredEntity* const known = registry->find_entity(item_.collection, kind.domain, item_.id);
  // A kill soon after the first start leaves the state without its entry.
  const std::string wanted = std::string(kind.domain) + '.' + item_.id;
  const core::StatePtr last = known                             ? hub_.states.find(known->entity_id)
                              : registry->entities.find(wanted) ? nullptr
                                                                : hub_.states.find(wanted);
  auto thing = std::make_unique<Thing>(kind, info_of(item_), abilities(), this);
  thing->report(first(kind, last.get()));
  const auto added = entities.add(std::move(thing));
  if (!added) return std::unexpected(added.error());
  thing_ = *added;
  added_to_home(entities);
  return {};
}

void HelperEntity::apply(const core::Item& item, EntityTable& entities) {
  if (item.revision == item_.revision) return;
  item_ = item;
  entities.describe(*thing_, info_of(item_));
  show();
}

std::unique_ptr<Helper> make_helper(core::Hub& hub, core::Item item, bool editable) {
  if (item.collection == "person") return std::make_unique<PersonHelper>(hub, std::move(item), editable);
  if (item.collection == "schedule") return std::make_unique<ScheduleHelper>(hub, std::move(item), editable);
  if (item.collection == "timer") return std::make_unique<TimerHelper>(hub, std::move(item), editable);
  if (item.collection == "local_todo") return std::make_unique<TodoListHelper>(hub, std::move(item), editable);
  if (item.collection == "local_calendar") return std::make_unique<CalendarHelper>(hub, std::move(item), editable);
  if (auto group = make_typed_group(hub, item, editable)) return group;
  if (item.collection == "group") return std::make_unique<GroupHelper>(hub, std::move(item), editable);
  return std::make_unique<ValueHelper>(hub, std::move(item), editable);
}

}  // namespace hearth::domains
