// SPDX-License-Identifier: Apache-2.0
// The bus's listeners, and the delivery of events to them.
#include <algorithm>
#include <exception>
#include <map>

#include "base/log/log.h"
#include "base/log/log_scope.h"
#include "core/bus/event_bus.h"

namespace hearth::core {
namespace {

class Callback final : public EventListener {
 public:
  Callback(std::function<void(const Event&)> function) : function_(std::move(function)) {}
  void on_event(const EventPtr& event) override {
    if (!event->by_client) function_(*event);
  }

 private:
  std::function<void(const Event&)> function_;
};

}  // namespace

Subscription& Subscription::operator=(Subscription&& other) noexcept {
  if (this != &other) {
    if (bus_) bus_->remove(id_);
    bus_ = std::exchange(other.bus_, nullptr);
    id_ = other.id_;
    start_ = other.start_;
  }
  return *this;
}

Subscription::~Subscription() {
  if (bus_) bus_->remove(id_);
}

void EventBus::Interest::add(const EventFilter& filter) {
  last_type_.clear();
  if (filter.all()) ++all_;
  for (const auto& type : filter.types) ++types_[type];
}

void EventBus::Interest::remove(const EventFilter& filter) {
  last_type_.clear();
  if (filter.all()) --all_;
  for (const auto& type : filter.types) {
    if (const auto it = types_.find(type); --it->second == 0) types_.erase(it);
  }
}

Subscription EventBus::listen(EventFilter filter, EventListener& listener, Pace pace,
                              const std::source_location& where) {
  base::MutexLock lock(listeners_mutex_);
  base::MutexLock order(mutex_);
  return add(std::move(filter), listener, nullptr, last_sequence_, pace, where);
}

Subscription EventBus::listen_since(std::uint64_t since, EventFilter filter, EventListener& listener, Pace pace,
                                    const std::source_location& where) {
  base::MutexLock lock(listeners_mutex_);
  base::MutexLock order(mutex_);
  return add(std::move(filter), listener, nullptr, std::min(since, last_sequence_), pace, where);
}

Subscription EventBus::listen(std::string_view type, std::function<void(const Event&)> callback, Pace pace,
                              const std::source_location& where) {
  EventFilter filter;
  if (type != "*") filter.types.emplace(type);
  auto owned = std::make_unique<Callback>(std::move(callback));
  EventListener& listener = *owned;
  base::MutexLock lock(listeners_mutex_);
  base::MutexLock order(mutex_);
  return add(std::move(filter), listener, std::move(owned), last_sequence_, pace, where);
}

EventBus::Resumed EventBus::resume(EventFilter filter, EventListener& listener, std::uint64_t last_seen,
                                   const std::source_location& where) {
  Resumed resumed{};
  base::MutexLock lock(listeners_mutex_);
  base::MutexLock order(mutex_);
  resumed.subscription = add(filter, listener, nullptr, last_sequence_, Pace::prompt, where);
  // state_reported events, whose numbers are missing in the ring, were never in it.
  const std::uint64_t kept_after = forgot_ ? recent_.front().event->sequence - 1 : 0;
  if (last_seen < kept_after || last_seen > last_sequence_) return resumed;
  const auto first = std::upper_bound(recent_.begin(), recent_.end(), last_seen,
                                      [](std::uint64_t seen, const auto& kept) { return seen < kept.event->sequence; });
  const auto reported = last_sequence_ - last_seen - static_cast<std::uint64_t>(recent_.end() - first);
  if (reported > 0 && filter.types.contains(event_type::kStateReported)) return resumed;
  resumed.complete = true;
  for (auto kept = first; kept != recent_.end(); ++kept) {
    if (filter.matches(kept->event->type)) resumed.missed.push_back(kept->event);
  }
  return resumed;
}

Subscription EventBus::add(EventFilter filter, EventListener& listener, std::unique_ptr<EventListener> owned,
                           std::uint64_t start, Pace pace, const std::source_location& where) {
  Subscription subscription;
  subscription.bus_ = this;
  subscription.id_ = ++last_registration_;
  subscription.start_ = start;
  if (filter.types.contains(event_type::kStateReported)) ++reported_listeners_;
  if (pace == Pace::prompt) prompt_interest_.add(filter);
  auto place = starting_.end();
  while (place != starting_.begin() && registrations_.at(*std::prev(place)).start > start) --place;
  starting_.insert(place, subscription.id_);
  registrations_.emplace(subscription.id_,
                         Registration{std::move(filter), &listener, std::move(owned), start, pace, where});
  return subscription;
}

void EventBus::remove(std::uint64_t id) {
  Registration ended;
  base::MutexLock lock(listeners_mutex_);
  ended = std::move(registrations_.extract(id).mapped());
  ++removals_;
  if (ended.filter.types.contains(event_type::kStateReported)) --reported_listeners_;
  if (ended.pace == Pace::prompt) {
    base::MutexLock order(mutex_);
    prompt_interest_.remove(ended.filter);
  }
  if (ended.active)
    leave_group(ended);
  else
    std::erase(starting_, id);
  if (on_bus_thread()) {
    // Perhaps called by the very callback that ends: it is freed after it has returned.
    if (calling_ == ended.listener) retired_ = std::move(ended.owned);
    return;
  }
  // Waits for this call; a later one belongs to another subscription.
  for (const auto call = calls_; calling_ == ended.listener && calls_ == call;) call_ended_.wait(listeners_mutex_);
}

std::uint64_t EventBus::name_entities(const std::set<std::string>& entity_ids) {
  base::MutexLock order(mutex_);
  for (const std::string& id : entity_ids) ++named_entities_[id];
  return last_sequence_;
}

void EventBus::unname_entities(const std::set<std::string>& entity_ids) {
  base::MutexLock order(mutex_);
  for (const std::string& id : entity_ids) {
    if (const auto found = named_entities_.find(id); --found->second == 0) named_entities_.erase(found);
  }
}

void EventBus::join_group(Registration& registration) {
  matching_type_.reset();
  registration.active = true;
  auto group = find_group(registration.listener);
  if (group == groups_.end()) group = groups_.insert(group, Group{registration.listener, registration.where});
  ++group->registrations;
  group->interest.add(registration.filter);
}

void EventBus::leave_group(const Registration& registration) {
  matching_type_.reset();
  const auto group = find_group(registration.listener);
  group->interest.remove(registration.filter);
  if (--group->registrations == 0) groups_.erase(group);
}

void EventBus::activate_before(std::uint64_t sequence) {
  while (!starting_.empty()) {
    Registration& next = registrations_.at(starting_.front());
    if (next.start >= sequence) break;
    join_group(next);
    starting_.pop_front();
  }
}

std::vector<EventBus::Group>::iterator EventBus::find_group(const EventListener* listener) {
  return std::find_if(groups_.begin(), groups_.end(), [&](const Group& g) { return g.listener == listener; });
}

std::vector<EventBus::ListenerCount> EventBus::listener_counts() const {
  std::map<std::string, std::size_t> counts;
  {
    base::MutexLock lock(listeners_mutex_);
    for (const auto& [id, registration] : registrations_) {
      if (registration.filter.all()) ++counts["*"];
      for (const auto& type : registration.filter.types) ++counts[type];
    }
  }
  std::vector<ListenerCount> list;
  for (auto& [type, count] : counts) list.push_back({type, count});
  return list;
}

void EventBus::dispatch(const EventPtr& event) {
  last_delivered_ = event->sequence;
  const base::LogScope caused({.context = event->context.id});
  // Unlocked for the calls only: each lock costs as much as a small listener.
  listeners_mutex_.lock();
  activate_before(event->sequence);
  const std::uint64_t removals = removals_;
  find_matching(event->type);
  for (const auto& [listener, where] : matching_) {
    if (removals_ != removals) {
      const auto group = find_group(listener);
      if (group == groups_.end() || !group->interest.wants(event->type)) continue;
    }
    calling_ = listener;
    ++calls_;
    listeners_mutex_.unlock();
    watch_.begin(where);
    try {
      listener->on_event(event);
    } catch (const std::exception& failure) {
      base::log_error("events", "a listener of {} failed: {}", event->type, failure.what());
    }
    listeners_mutex_.lock();
    calling_ = nullptr;
    call_ended_.notify_all();
    if (retired_) {
      listeners_mutex_.unlock();
      retired_.reset();
      listeners_mutex_.lock();
    }
  }
  listeners_mutex_.unlock();
}

// Usually does nothing, because the last event was of the same type.
void EventBus::find_matching(const std::string& type) {
  if (matching_type_ == type) return;
  matching_type_ = type;
  matching_.clear();
  for (Group& group : groups_) {
    if (group.interest.wants(type)) matching_.push_back({group.listener, group.where});
  }
}

}  // namespace hearth::core
