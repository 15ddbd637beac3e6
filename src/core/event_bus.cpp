// SPDX-License-Identifier: Apache-2.0
#include "core/event_bus.h"

#include <algorithm>
#include <exception>
#include <map>

#include "base/log.h"

namespace hearth::core {
namespace {

class Callback final : public EventListener {
 public:
  Callback(std::function<void(const Event&)> function) : function_(std::move(function)) {}
  void on_event(const EventPtr& event) override { function_(*event); }

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

Timer& Timer::operator=(Timer&& other) noexcept {
  if (this != &other) {
    if (bus_) bus_->cancel(key_);
    bus_ = std::exchange(other.bus_, nullptr);
    key_ = other.key_;
  }
  return *this;
}

Timer::~Timer() {
  if (bus_) bus_->cancel(key_);
}

EventBus::EventBus(const base::Clock& clock) : clock_(clock) {}

EventBus::~EventBus() {
  stop();
  // What never ran may hold timers and subscriptions of this bus, so it goes while the bus is whole.
  for (bool any = true; any;) {
    std::deque<Item> queue;
    TimerQueue timers;
    base::MutexLock lock(mutex_);
    queue.swap(queue_);
    std::swap(timers, timers_);
    any = !queue.empty() || timers.next_due();
  }
}

EventBus::Turn::Turn(EventBus& bus) : bus_(bus) {
  bus.mutex_.lock();
  bus.wait_for_room();
  now_ = bus.clock_.now();
}

EventBus::Turn::~Turn() {
  bus_.mutex_.unlock();
  if (wake_) bus_.wake_.notify_one();
}

void EventBus::Turn::fire(Event event) {
  event.sequence = ++bus_.last_sequence_;
  event.time_fired = now_;
  auto fired = std::make_shared<const Event>(std::move(event));
  const std::size_t weight = fired->weight();
  bus_.queued_bytes_ += weight;
  if (fired->type != event_type::kStateReported) {
    bus_.recent_.push_back({fired, weight});
    bus_.recent_bytes_ += weight;
    while (bus_.recent_.size() > kMaxRecent || (bus_.recent_bytes_ > kMaxRecentBytes && bus_.recent_.size() > 1)) {
      bus_.recent_bytes_ -= bus_.recent_.front().weight;
      forgotten_.push_back(std::move(bus_.recent_.front().event));
      bus_.recent_.pop_front();
    }
    bus_.forgot_ = bus_.forgot_ || !forgotten_.empty();
  }
  const bool prompt = bus_.prompt_interest_.wants(fired->type);
  bus_.enqueue({std::move(fired), {}}, prompt, wake_);
}

void EventBus::wait_for_room() {
  if (has_room() || on_bus_thread()) return;
  ++waiting_for_room_;
  while (!has_room() && !stopping_) room_.wait(mutex_);
  --waiting_for_room_;
}

void EventBus::enqueue(Item item, bool prompt, bool& wake) {
  queue_.push_back(std::move(item));
  // A long queue does not wait, so that writers need not.
  prompt_ = prompt_ || prompt || queue_.size() >= kMaxQueued / 2 || queued_bytes_ >= kMaxQueuedBytes / 2;
  if (rest_ == Rest::idle || (rest_ == Rest::lingering && prompt_)) {
    wake = true;
    rest_ = Rest::awake;
  }
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

std::uint64_t EventBus::fire(std::string_view type, std::string data_json, Origin origin, Context context) {
  Event event{std::string(type), std::move(data_json), origin, std::move(context), 0, {}};
  Turn turn(*this);
  const std::uint64_t sequence = turn.next_sequence();
  turn.fire(std::move(event));
  return sequence;
}

void EventBus::post(Task task) {
  bool wake = false;
  {
    base::MutexLock lock(mutex_);
    wait_for_room();
    enqueue({nullptr, std::move(task)}, true, wake);
  }
  if (wake) wake_.notify_one();
}

Timer EventBus::schedule(base::Duration delay, Task task) {
  Timer timer;
  timer.bus_ = this;
  bool wake;
  {
    base::MutexLock lock(mutex_);
    timer.key_ = timers_.add(clock_.steady_now() + delay, std::move(task));
    wake = std::exchange(rest_, Rest::awake) != Rest::awake;
  }
  if (wake) wake_.notify_one();
  return timer;
}

void EventBus::cancel(TimerQueue::Key key) {
  Task task;
  base::MutexLock lock(mutex_);
  task = timers_.remove(key);
}

Subscription EventBus::listen(EventFilter filter, EventListener& listener, Pace pace) {
  base::MutexLock lock(listeners_mutex_);
  base::MutexLock order(mutex_);
  return add(std::move(filter), listener, nullptr, pace);
}

Subscription EventBus::listen(std::string_view type, std::function<void(const Event&)> callback, Pace pace) {
  EventFilter filter;
  if (type != "*") filter.types.emplace(type);
  auto owned = std::make_unique<Callback>(std::move(callback));
  EventListener& listener = *owned;
  base::MutexLock lock(listeners_mutex_);
  base::MutexLock order(mutex_);
  return add(std::move(filter), listener, std::move(owned), pace);
}

EventBus::Resumed EventBus::resume(EventFilter filter, EventListener& listener, std::uint64_t last_seen) {
  Resumed resumed{};
  base::MutexLock lock(listeners_mutex_);
  base::MutexLock order(mutex_);
  resumed.subscription = add(filter, listener, nullptr, Pace::prompt);
  // state_reported never was in it: the numbers that it lacks.
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
                           Pace pace) {
  Subscription subscription;
  subscription.bus_ = this;
  subscription.id_ = ++last_registration_;
  subscription.start_ = last_sequence_;
  if (filter.types.contains(event_type::kStateReported)) ++reported_listeners_;
  if (pace == Pace::prompt) prompt_interest_.add(filter);
  starting_.push_back(subscription.id_);
  registrations_.emplace(subscription.id_,
                         Registration{std::move(filter), &listener, std::move(owned), last_sequence_, pace});
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
    // Perhaps called by the very callback that ends: it is freed once it has returned.
    if (calling_ == ended.listener) retired_ = std::move(ended.owned);
    return;
  }
  // The call under way; a later one is another subscription's.
  for (const auto call = calls_; calling_ == ended.listener && calls_ == call;) call_ended_.wait(listeners_mutex_);
}

void EventBus::join_group(Registration& registration) {
  registration.active = true;
  auto group = find_group(registration.listener);
  if (group == groups_.end()) group = groups_.insert(group, Group{registration.listener});
  ++group->registrations;
  group->interest.add(registration.filter);
}

void EventBus::leave_group(const Registration& registration) {
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

void EventBus::stop() {
  {
    base::MutexLock lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  room_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void EventBus::run() {
  thread_id_ = std::this_thread::get_id();
  std::deque<Item> batch;
  for (;;) {
    {
      base::MutexLock lock(mutex_);
      if (queue_.empty() && stopping_) break;
      if (!prompt_ && !stopping_) rest();
      prompt_ = false;
    }
    run_batch(batch);
  }
  thread_id_ = std::thread::id();
}

// Until something is due: at once what is prompt, after a while what is not.
void EventBus::rest() {
  const auto time_left = [this]() __attribute__((requires_capability(mutex_))) -> std::optional<base::Duration> {
    const auto due = timers_.next_due();
    if (!due) return {};
    return std::max(*due - clock_.steady_now(), base::Duration(0));
  };
  if (queue_.empty()) {
    rest_ = Rest::idle;
    if (const auto left = time_left(); !left)
      wake_.wait(mutex_);
    else if (left->count() > 0)
      wake_.wait_for(mutex_, *left);
  }
  if (!queue_.empty() && !prompt_ && !stopping_) {
    rest_ = Rest::lingering;
    wake_.wait_for(mutex_, std::min(time_left().value_or(kRelaxedDelay), kRelaxedDelay));
  }
  rest_ = Rest::awake;
}

void EventBus::run_pending() {
  thread_id_ = std::this_thread::get_id();
  std::deque<Item> batch;
  while (run_batch(batch)) {
  }
  thread_id_ = std::thread::id();
}

bool EventBus::run_batch(std::deque<Item>& batch) {
  bool room;
  {
    base::MutexLock lock(mutex_);
    batch.swap(queue_);
    queued_bytes_ = 0;
    room = waiting_for_room_ > 0;
  }
  if (room) room_.notify_all();
  const bool any = !batch.empty();
  for (; !batch.empty(); batch.pop_front()) {
    if (batch.front().event)
      dispatch(batch.front().event);
    else
      run_guarded(batch.front().task);
  }
  // Taken only now: what ran before may have cancelled it.
  Task due;
  {
    base::MutexLock lock(mutex_);
    if (!stopping_) due = timers_.pop_due(clock_.steady_now());
  }
  if (due) run_guarded(due);
  return any || due;
}

void EventBus::dispatch(const EventPtr& event) {
  // Let go of for the calls only: each lock costs as much as a small listener.
  listeners_mutex_.lock();
  activate_before(event->sequence);
  const std::uint64_t removals = removals_;
  matching_.clear();
  for (Group& group : groups_) {
    if (group.interest.wants(event->type)) matching_.push_back(group.listener);
  }
  for (EventListener* const listener : matching_) {
    if (removals_ != removals) {
      const auto group = find_group(listener);
      if (group == groups_.end() || !group->interest.wants(event->type)) continue;
    }
    calling_ = listener;
    ++calls_;
    listeners_mutex_.unlock();
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

void EventBus::run_guarded(const Task& task) {
  try {
    task();
  } catch (const std::exception& failure) {
    base::log_error("events", "a task on the bus thread failed: {}", failure.what());
  }
}

}  // namespace hearth::core
