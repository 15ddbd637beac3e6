// SPDX-License-Identifier: Apache-2.0
#include "domains/helpers/file_helpers.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/log/log.h"
#include "configured/clear_left.h"
#include "core/registry/helper_types.h"
#include "domains/groups/typed_group.h"

namespace hearth::domains {

std::string HelperItem::entity_id() const {
  const std::string typed = id_of_typed_group(fields);
  return typed.empty() ? collection + "." + id : typed;
}

FileHelpers::FileHelpers(core::Hub& hub, EntityTable& entities) : hub_(hub), entities_(entities) {
  ready_ = hub.bus.listen(core::event_type::kPlatformStarted, [this](const core::Event&) {
    is_ready_ = true;
    for (const auto& [key, helper] : present_) helper->home_started();
  });
}

FileHelpers::~FileHelpers() = default;

std::vector<std::string> FileHelpers::apply(const std::vector<HelperItem>& items, bool complete) {
  std::vector<std::string> left_out;
  std::erase_if(present_, [&](const auto& each) {
    const bool named =
        std::ranges::any_of(items, [&](const HelperItem& item) { return each.first == Key(item.collection, item.id); });
    if (named || !complete) return false;
    const auto gone = entities_.withdraw(each.second->entity_id());
    return true;
  });
  for (const HelperItem& item : items) {
    if (!item.error.empty()) continue;
    core::Item wanted{.collection = item.collection, .id = item.id, .fields = item.fields};
    const Key key(item.collection, item.id);
    if (const auto known = present_.find(key); known != present_.end()) {
      const core::Item& former = known->second->item();
      wanted.revision = former.revision + (former.fields != wanted.fields);
      known->second->apply(wanted, entities_);
      continue;
    }
    auto helper = make_helper(hub_, std::move(wanted), false);
    helper->use(journal_);
    if (const auto added = helper->add(entities_); !added) {
      left_out.push_back(fmt::format("{}: {}", item.place, added.error().message));
      continue;
    }
    if (is_ready_) helper->home_started();
    present_.emplace(key, std::move(helper));
  }
  const auto types = core::file_helper_types();
  configured::clear_left(hub_, complete, [&](const std::string&, const core::RegisteredEntity& registered) {
    return std::ranges::find(types, registered.integration, &core::CollectionType::name) != types.end() &&
           !present_.contains({registered.integration, registered.unique_id}) &&
           !hub_.registry.snapshot()->find_item(registered.integration, registered.unique_id);
  });
  return left_out;
}

void FileHelpers::apply(const HelperItems& items) {
  std::vector<configured::Fault> faults = configured::report(items, "helpers");
  std::vector<std::string> errors = configured::errors_of({}, items.helpers, items.zones);
  std::ranges::move(apply(items.helpers, items.complete), std::back_inserter(errors));
  for (const std::string& error : errors) {
    faults.push_back(configured::fault_at_place(error));
    base::log_warning("helpers", "{}", error);
  }
  faults_.publish(std::move(faults));
}

void FileHelpers::add_services(const configured::Reload& reload) {
  registrations_.push_back(configured::add_reload(hub_, "zone", "Reads the files of zones again.", reload));
  for (const core::CollectionType& type : core::file_helper_types())
    registrations_.push_back(configured::add_reload(hub_, type.name, "Reads the files of helpers again.", reload));
}

}  // namespace hearth::domains
