// SPDX-License-Identifier: Apache-2.0
#include "domains/lists/entity_items.h"

#include "base/log/log.h"

namespace hearth::domains {
namespace {

// The device checks each command before it is done, so this says what the program did wrong.
template <class T>
void expect_done(const Thing& thing, const base::Result<T>& done) {
  if (!done) base::log_error("domains", "{} cannot keep a change: {}", thing.entity_id(), done.error().message);
}

}  // namespace

std::string EntityItems::collection() const {
  return core::collection_of(thing_->domain(), thing_->registry_id());
}

EntityItems::List EntityItems::list() const {
  List list{registry_.snapshot(), {}};
  if (thing_) list.items = list.registry->items_of(collection());
  return list;
}

base::Result<void> EntityItems::fits(const json::object& fields, const std::string& id) const {
  const auto place = registry_.snapshot()->place_of({.collection = collection(), .id = id, .fields = fields});
  if (!place) return std::unexpected(place.error());
  return {};
}

void EntityItems::add(json::object fields) {
  expect_done(*thing_, registry_.create_item(collection(), {}, std::move(fields), thing_->command_context(),
                                             core::IfFull::wait));
}

void EntityItems::update(const std::string& id, json::object fields) {
  expect_done(*thing_, registry_.update_item(collection(), id, std::move(fields), {}, thing_->command_context(),
                                             core::IfFull::wait));
}

void EntityItems::remove(std::span<const std::string> ids) {
  expect_done(*thing_, registry_.delete_items(collection(), ids, thing_->command_context(), core::IfFull::wait));
}

}  // namespace hearth::domains
