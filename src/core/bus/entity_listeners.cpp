// SPDX-License-Identifier: Apache-2.0
#include "core/bus/entity_listeners.h"

#include <algorithm>
#include <exception>
#include <set>
#include <utility>

#include "base/log/log.h"

namespace hearth::core {

struct EntityListeners::Entry {
  std::set<std::string> entity_ids;
  Callback callback;
  std::source_location where;
  std::uint64_t start;  // delivers events with a greater sequence number
  bool ended = false;   // under the mutex
};

EntityListeners::Listening& EntityListeners::Listening::operator=(Listening&& other) noexcept {
  if (this != &other) {
    if (entry_) listeners_->end(*entry_);
    listeners_ = other.listeners_;
    entry_ = std::exchange(other.entry_, nullptr);
  }
  return *this;
}

EntityListeners::Listening::~Listening() {
  if (entry_) listeners_->end(*entry_);
}

EntityListeners::Listening EntityListeners::listen(std::vector<std::string> entity_ids, Callback callback,
                                                   const std::source_location& where) {
  return add({}, std::move(entity_ids), std::move(callback), where);
}

EntityListeners::Listening EntityListeners::listen_since(std::uint64_t since, std::vector<std::string> entity_ids,
                                                         Callback callback, const std::source_location& where) {
  return add(since, std::move(entity_ids), std::move(callback), where);
}

EntityListeners::Listening EntityListeners::add(std::optional<std::uint64_t> since, std::vector<std::string> entity_ids,
                                                Callback callback, const std::source_location& where) {
  Listening listening;
  listening.listeners_ = this;
  auto entry = std::make_shared<Entry>(Entry{{entity_ids.begin(), entity_ids.end()}, std::move(callback), where, 0});
  base::MutexLock lock(mutex_);
  if (!subscription_) {
    EventFilter filter{{std::string(event_type::kStateChanged)}};
    subscription_ = since ? bus_.listen_since(*since, std::move(filter), *this, Pace::relaxed)
                          : bus_.listen(std::move(filter), *this, Pace::relaxed);
  }
  const std::uint64_t last = bus_.name_entities(entry->entity_ids);
  entry->start = std::min(since.value_or(last), last);
  if (entry->start < last) unnamed_until_ = last;
  listening.entry_ = std::move(entry);
  for (const std::string& id : listening.entry_->entity_ids) by_entity_[id].push_back(listening.entry_);
  return listening;
}

void EntityListeners::end(Entry& entry) {
  base::MutexLock lock(mutex_);
  entry.ended = true;
  bus_.unname_entities(entry.entity_ids);
  for (const std::string& id : entry.entity_ids) {
    const auto found = by_entity_.find(id);
    std::erase_if(found->second, [&](const EntryPtr& one) { return one.get() == &entry; });
    if (found->second.empty()) by_entity_.erase(found);
  }
  if (bus_.on_bus_thread()) return;  // perhaps inside the very callback
  for (const auto call = calls_; calling_ == &entry && calls_ == call;) call_ended_.wait(mutex_);
}

void EntityListeners::on_event(const EventPtr& event) {
  if (!event->named && event->sequence > unnamed_until_) return;  // nobody listened when it was fired
  const StateChange* const change = event->state_change();
  if (!change) return;  // a client's event of that type
  // Entries added meanwhile are not included; removed ones are kept until the callbacks have returned.
  const std::vector<EntryPtr> entries = find(change->entity_id());
  for (const EntryPtr& entry : entries) {
    if (entry->start < event->sequence) call(*entry, *change, *event);
  }
}

std::vector<EntityListeners::EntryPtr> EntityListeners::find(std::string_view entity_id) {
  base::MutexLock lock(mutex_);
  const auto found = by_entity_.find(entity_id);
  return found == by_entity_.end() ? std::vector<EntryPtr>() : found->second;
}

void EntityListeners::call(const Entry& entry, const StateChange& change, const Event& event) {
  {
    base::MutexLock lock(mutex_);
    if (entry.ended) return;
    calling_ = &entry;
    ++calls_;
  }
  try {
    const BusWatch::Inner holds(bus_.watch(), entry.where);
    entry.callback(change, event);
  } catch (const std::exception& failure) {
    base::log_error("events", "a listener of {} failed: {}", change.entity_id(), failure.what());
  }
  base::MutexLock lock(mutex_);
  calling_ = nullptr;
  call_ended_.notify_all();
}

}  // namespace hearth::core
