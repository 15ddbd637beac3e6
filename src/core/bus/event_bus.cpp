// SPDX-License-Identifier: Apache-2.0
#include "core/bus/event_bus.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>

#include "base/log/log.h"

namespace hearth::core {

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

EventBus::EventBus(const base::Clock& clock) : clock_(clock), watch_(clock) {}

EventBus::~EventBus() {
  stop();
  // Tasks that never ran may hold timers and subscriptions of this bus, so they are destroyed while it is intact.
  for (bool any = true; any;) {
    std::vector<Item> queue;
    TimerQueue<base::SteadyTime> timers;
    TimerQueue<base::Timestamp> wall_timers;
    base::MutexLock lock(mutex_);
    queue.swap(queue_);
    std::swap(timers, timers_);
    std::swap(wall_timers, wall_timers_);
    any = !queue.empty() || timers.next_due() || wall_timers.next_due();
  }
}

std::unexpected<base::Error> EventBus::full() {
  return base::fail(base::ErrorCode::unavailable,
                    fmt::format("Too much waits to be done: {} events or {} MiB of them. Ask again in a moment.",
                                kMaxQueued, kMaxQueuedBytes >> 20));
}

EventBus::Turn::Turn(EventBus& bus, IfFull if_full, std::size_t events) : bus_(bus), lock_(bus.mutex_) {
  if (!bus.await_room(if_full)) {
    lock_.unlock();
    return;
  }
  bus.reserve(events);
  now_ = bus.clock_.now();
}

EventBus::Turn::~Turn() {
  if (lock_.owns_lock()) lock_.unlock();
  if (wake_) bus_.wake_.notify_one();
}

void EventBus::Turn::fire(std::shared_ptr<Event> event) noexcept {
  event->sequence = ++bus_.last_sequence_;
  event->time_fired = now_;
  const StateChange* const change = event->state_change();
  event->named = change && !bus_.named_entities_.empty() && bus_.named_entities_.contains(change->entity_id());
  EventPtr fired = std::move(event);
  const std::size_t weight = fired->weight();
  if (fired->type != event_type::kStateReported) {
    auto& recent = bus_.recent_;
    recent.push_back({fired, weight});
    bus_.recent_bytes_ += weight;
    while (recent.size() > kMaxRecent || (bus_.recent_bytes_ > kMaxRecentBytes && recent.size() > 1)) {
      bus_.recent_bytes_ -= recent.front().weight;
      if (forgotten_.size() < kMaxForgotten) forgotten_.push_back(std::move(recent.front().event));
      recent.pop_front();
      bus_.forgot_ = true;
    }
  }
  const bool prompt = fired->named || bus_.prompt_interest_.wants(fired->type);
  bus_.enqueue({std::move(fired), {}, weight, {}}, prompt, wake_);
}

bool EventBus::await_room(IfFull if_full) {
  if (has_room() || if_full == IfFull::pass || on_bus_thread()) return true;
  if (if_full == IfFull::fail) return stopping_;
  ++waiting_for_room_;
  while (!has_room() && !stopping_) room_.wait(mutex_);
  --waiting_for_room_;
  return true;
}

std::size_t EventBus::pending() const {
  base::MutexLock lock(mutex_);
  return pending_;
}

void EventBus::reserve(std::size_t events) {
  const std::size_t needed = queue_.size() + events;
  if (queue_.capacity() < needed) queue_.reserve(std::max({needed, 2 * queue_.capacity(), std::size_t(64)}));
}

void EventBus::enqueue(Item item, bool prompt, bool& wake) {
  const std::size_t weight = item.weight;
  queue_.push_back(std::move(item));
  ++pending_;
  pending_bytes_ += weight;
  // A long queue is run at once, so that writers need not wait.
  prompt_ = prompt_ || prompt || pending_ >= kMaxQueued / 2 || pending_bytes_ >= kMaxQueuedBytes / 2;
  if (rest_ == Rest::idle || (rest_ == Rest::lingering && prompt_)) {
    wake = true;
    rest_ = Rest::awake;
  }
}

void EventBus::release(std::size_t count, std::size_t bytes) {
  pending_ -= count;
  pending_bytes_ -= bytes;
  if (waiting_for_room_ > 0) room_.notify_all();
}

base::Result<std::uint64_t> EventBus::fire(IfFull if_full, std::string_view type, std::string data_json, Origin origin,
                                           const Context& context, FiredBy by) {
  auto event = std::make_shared<Event>(type, std::move(data_json), origin, context);
  event->by_client = by == FiredBy::client;
  Turn turn(*this, if_full);
  if (!turn) return full();
  const std::uint64_t sequence = turn.next_sequence();
  turn.fire(std::move(event));
  return sequence;
}

base::Result<void> EventBus::post(IfFull if_full, std::size_t weight, Task task, const std::source_location& where) {
  bool wake = false;
  {
    base::MutexLock lock(mutex_);
    if (!await_room(if_full)) return full();
    enqueue({nullptr, std::move(task), weight, where}, true, wake);
  }
  if (wake) wake_.notify_one();
  return {};
}

Timer EventBus::schedule(base::Duration delay, Task task, const std::source_location& where) {
  return add_timer(&EventBus::timers_, clock_.steady_now() + delay, std::move(task), where);
}

Timer EventBus::schedule_at(base::Timestamp time, Task task, const std::source_location& where) {
  return add_timer(&EventBus::wall_timers_, time, std::move(task), where);
}

template <class Time>
Timer EventBus::add_timer(TimerQueue<Time> EventBus::* queue, Time due, Task task, const std::source_location& where) {
  Timer timer;
  bool wake;
  {
    base::MutexLock lock(mutex_);
    timer.key_ = (this->*queue).add(due, std::move(task), where);
    timer.bus_ = this;
    wake = std::exchange(rest_, Rest::awake) != Rest::awake;
  }
  if (wake) wake_.notify_one();
  return timer;
}

void EventBus::cancel(const Timer::Key& key) {
  Task task;
  base::MutexLock lock(mutex_);
  if (const auto* const steady = std::get_if<0>(&key))
    task = timers_.remove(*steady);
  else
    task = wall_timers_.remove(std::get<1>(key));
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
  std::vector<Item> batch;
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

std::optional<base::Duration> EventBus::time_to_timer() const {
  std::optional<base::Duration> left;
  if (const auto due = timers_.next_due()) left = *due - clock_.steady_now();
  if (const auto due = wall_timers_.next_due())
    left = std::min({left.value_or(kWallClockLook), *due - clock_.now(), kWallClockLook});
  if (left) left = std::max(*left, base::Duration(0));
  return left;
}

std::optional<base::Duration> EventBus::time_to_next_timer() const {
  base::MutexLock lock(mutex_);
  std::optional<base::Duration> left;
  if (const auto due = timers_.next_due()) left = *due - clock_.steady_now();
  if (const auto due = wall_timers_.next_due())
    left = std::min(left.value_or(base::Duration::max()), *due - clock_.now());
  if (left) left = std::max(*left, base::Duration(0));
  return left;
}

// Sleeps until something is due: at once for prompt items, after a delay for relaxed ones.
void EventBus::rest() {
  if (queue_.empty()) {
    rest_ = Rest::idle;
    if (const auto left = time_to_timer(); !left)
      wake_.wait(mutex_);
    else if (left->count() > 0)
      wake_.wait_for(mutex_, *left);
  }
  if (!queue_.empty() && !prompt_ && !stopping_) {
    rest_ = Rest::lingering;
    wake_.wait_for(mutex_, std::min(time_to_timer().value_or(kRelaxedDelay), kRelaxedDelay));
  }
  rest_ = Rest::awake;
}

void EventBus::run_pending() {
  thread_id_ = std::this_thread::get_id();
  std::vector<Item> batch;
  while (run_batch(batch)) {
  }
  thread_id_ = std::thread::id();
}

bool EventBus::run_batch(std::vector<Item>& batch) {
  // Room is released in steps of so many items, and memory for so many is kept.
  constexpr std::size_t kReleased = 256, kKept = 1'024;
  {
    base::MutexLock lock(mutex_);
    batch.swap(queue_);
  }
  const bool any = !batch.empty();
  std::size_t count = 0, bytes = 0;
  for (Item& item : batch) {
    bytes += item.weight;
    ++count;
    run(item);
    if (count < kReleased) continue;
    base::MutexLock lock(mutex_);
    release(std::exchange(count, 0), std::exchange(bytes, 0));
  }
  batch.clear();
  if (batch.capacity() > kKept) std::vector<Item>().swap(batch);
  const bool due = run_timers(count, bytes);
  watch_.begin({});
  return any || due;
}

// Frees what the item keeps alive before the next one runs.
void EventBus::run(Item& item) {
  if (item.event)
    dispatch(std::exchange(item.event, nullptr));
  else
    run_guarded(std::exchange(item.task, nullptr), item.where);
}

// One by one, because a timer may cancel the next one. A timer added meanwhile runs after what is queued then.
bool EventBus::run_timers(std::size_t count, std::size_t bytes) {
  base::SteadyTime now;
  base::Timestamp wall_now;
  std::uint64_t known = 0, wall_known = 0;
  for (std::size_t ran = 0; ran < kMaxTimersAtOnce; ++ran) {
    std::optional<TimerEntry> due;
    {
      base::MutexLock lock(mutex_);
      if (ran == 0) {
        release(count, bytes);
        now = clock_.steady_now();
        if (wall_timers_.next_due()) wall_now = clock_.now();
        known = timers_.last_number();
        wall_known = wall_timers_.last_number();
      }
      if (!stopping_) due = timers_.pop_due(now, known);
      if (!stopping_ && !due) due = wall_timers_.pop_due(wall_now, wall_known);
    }
    if (!due) return ran > 0;
    run_guarded(std::move(due->task), due->where);
  }
  return true;
}

void EventBus::run_guarded(Task task, const std::source_location& where) {
  watch_.begin(where);
  try {
    task();
  } catch (const std::exception& failure) {
    base::log_error("events", "a task on the bus thread failed: {}", failure.what());
  }
}

}  // namespace hearth::core
