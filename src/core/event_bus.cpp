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

EventBus::~EventBus() { stop(); }

EventBus::Turn::Turn(EventBus& bus) : bus_(bus) {
  bus.mutex_.lock();
  if (bus.queue_.size() >= kMaxQueued && !bus.on_bus_thread()) {
    ++bus.waiting_for_room_;
    while (bus.queue_.size() >= kMaxQueued && !bus.stopping_) bus.room_.wait(bus.mutex_);
    --bus.waiting_for_room_;
  }
  now_ = std::max(bus.clock_.now(), bus.last_time_);
}

EventBus::Turn::~Turn() {
  bus_.mutex_.unlock();
  if (wake_) bus_.wake_.notify_one();
}

void EventBus::Turn::fire(Event event) {
  event.sequence = ++bus_.last_sequence_;
  event.time_fired = bus_.last_time_ = now_;
  auto fired = std::make_shared<const Event>(std::move(event));
  if (fired->type != event_type::kStateReported) {
    bus_.recent_.push_back(fired);
    if (bus_.recent_.size() > kMaxRecent) bus_.recent_.pop_front();
  }
  bus_.enqueue({std::move(fired), {}}, wake_);
}

void EventBus::enqueue(Item item, bool& wake) {
  queue_.push_back(std::move(item));
  wake = std::exchange(sleeping_, false);
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
    enqueue({nullptr, std::move(task)}, wake);
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
    wake = std::exchange(sleeping_, false);
  }
  if (wake) wake_.notify_one();
  return timer;
}

void EventBus::cancel(TimerQueue::Key key) {
  Task task;
  base::MutexLock lock(mutex_);
  task = timers_.remove(key);
}

Subscription EventBus::listen(EventFilter filter, EventListener& listener) {
  Subscription subscription;
  base::MutexLock lock(listeners_mutex_);
  add(subscription, std::move(filter), listener, nullptr);
  base::MutexLock order(mutex_);
  subscription.start_ = last_sequence_;
  return subscription;
}

Subscription EventBus::listen(std::string_view type, std::function<void(const Event&)> callback) {
  // A callback cannot tell what came before it subscribed, so the wrapper does.
  class Late final : public EventListener {
   public:
    Late(std::function<void(const Event&)> function) : callback_(std::move(function)) {}
    void on_event(const EventPtr& event) override {
      if (event->sequence > start_) callback_.on_event(event);
    }
    std::uint64_t start_ = 0;

   private:
    Callback callback_;
  };
  auto late = std::make_unique<Late>(std::move(callback));
  Late& listener = *late;
  Subscription subscription;
  base::MutexLock lock(listeners_mutex_);
  EventFilter filter;
  if (type != "*") filter.types.emplace(type);
  add(subscription, std::move(filter), listener, std::move(late));
  base::MutexLock order(mutex_);
  listener.start_ = subscription.start_ = last_sequence_;
  return subscription;
}

EventBus::Resumed EventBus::resume(EventFilter filter, EventListener& listener, std::uint64_t last_seen) {
  Resumed resumed{};
  base::MutexLock lock(listeners_mutex_);
  add(resumed.subscription, filter, listener, nullptr);
  base::MutexLock order(mutex_);
  resumed.subscription.start_ = last_sequence_;
  // state_reported is not kept, so the ring may have holes; it is whole from its first event on.
  const std::uint64_t kept_after = recent_.empty() ? last_sequence_ : recent_.front()->sequence - 1;
  resumed.complete = last_seen >= kept_after && last_seen <= last_sequence_;
  if (!resumed.complete) return resumed;
  const auto first = std::upper_bound(recent_.begin(), recent_.end(), last_seen,
                                      [](std::uint64_t seen, const EventPtr& event) { return seen < event->sequence; });
  std::copy_if(first, recent_.end(), std::back_inserter(resumed.missed),
               [&](const EventPtr& event) { return filter.matches(event->type); });
  return resumed;
}

void EventBus::add(Subscription& subscription, EventFilter filter, EventListener& listener,
                   std::unique_ptr<EventListener> owned) {
  subscription.bus_ = this;
  subscription.id_ = ++last_registration_;
  auto group = std::find_if(groups_.begin(), groups_.end(), [&](const Group& g) { return g.listener == &listener; });
  if (group == groups_.end()) group = groups_.insert(groups_.end(), Group{&listener, 0, 0, {}});
  ++group->registrations;
  if (filter.all()) ++group->all;
  for (const auto& type : filter.types) ++group->types[type];
  if (filter.types.contains(event_type::kStateReported)) ++reported_listeners_;
  registrations_.emplace(subscription.id_, Registration{std::move(filter), &listener, std::move(owned)});
}

void EventBus::remove(std::uint64_t id) {
  Registration ended;
  base::MutexLock lock(listeners_mutex_);
  auto node = registrations_.extract(id);
  ended = std::move(node.mapped());
  const auto group =
      std::find_if(groups_.begin(), groups_.end(), [&](const Group& g) { return g.listener == ended.listener; });
  if (ended.filter.all()) --group->all;
  for (const auto& type : ended.filter.types) {
    if (const auto it = group->types.find(type); --it->second == 0) group->types.erase(it);
  }
  if (ended.filter.types.contains(event_type::kStateReported)) --reported_listeners_;
  if (--group->registrations > 0) return;
  groups_.erase(group);
  if (on_bus_thread() && calling_ == ended.listener) retired_ = std::move(ended.owned);
  while (calling_ == ended.listener && !on_bus_thread()) call_ended_.wait(lock);
}

std::vector<EventBus::ListenerCount> EventBus::listener_counts() const {
  std::map<std::string, std::size_t> counts;
  {
    base::MutexLock lock(listeners_mutex_);
    for (const Group& group : groups_) {
      if (group.all > 0) counts["*"] += group.all;
      for (const auto& [type, count] : group.types) counts[type] += count;
    }
  }
  std::vector<ListenerCount> list;
  for (auto& [type, count] : counts) list.push_back({type, count});
  return list;
}

void EventBus::start() {
  thread_ = std::thread([this] { run(); });
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
    if (run_batch(batch)) continue;
    base::MutexLock lock(mutex_);
    if (!queue_.empty()) continue;
    if (stopping_) break;
    sleeping_ = true;
    const auto due = timers_.next_due();
    if (!due) wake_.wait(lock);
    else if (const auto now = clock_.steady_now(); *due > now) wake_.wait_for(lock, *due - now);
    sleeping_ = false;
  }
  thread_id_ = std::thread::id();
}

void EventBus::run_pending() {
  thread_id_ = std::this_thread::get_id();
  std::deque<Item> batch;
  while (run_batch(batch)) {
  }
  thread_id_ = std::thread::id();
}

bool EventBus::run_batch(std::deque<Item>& batch) {
  Task due;
  bool room;
  {
    base::MutexLock lock(mutex_);
    batch.swap(queue_);
    if (!stopping_) due = timers_.pop_due(clock_.steady_now());
    room = waiting_for_room_ > 0;
  }
  if (room) room_.notify_all();
  const bool any = !batch.empty() || due;
  for (; !batch.empty(); batch.pop_front()) {
    if (batch.front().event) dispatch(batch.front().event);
    else run_guarded(batch.front().task);
  }
  if (due) run_guarded(due);
  return any;
}

void EventBus::dispatch(const EventPtr& event) {
  {
    base::MutexLock lock(listeners_mutex_);
    matching_.clear();
    for (const Group& group : groups_) {
      if (group.wants(event->type)) matching_.push_back(group.listener);
    }
  }
  for (EventListener* const listener : matching_) {
    {
      base::MutexLock lock(listeners_mutex_);
      const bool there =
          std::any_of(groups_.begin(), groups_.end(), [&](const Group& g) { return g.listener == listener; });
      if (!there) continue;
      calling_ = listener;
    }
    try {
      listener->on_event(event);
    } catch (const std::exception& failure) {
      base::log_error("events", "a listener of {} failed: {}", event->type, failure.what());
    }
    {
      base::MutexLock lock(listeners_mutex_);
      calling_ = nullptr;
    }
    retired_.reset();
    call_ended_.notify_all();
  }
}

void EventBus::run_guarded(const Task& task) {
  try {
    task();
  } catch (const std::exception& failure) {
    base::log_error("events", "a task on the bus thread failed: {}", failure.what());
  }
}

}  // namespace hearth::core
