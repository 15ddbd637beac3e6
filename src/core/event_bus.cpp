// SPDX-License-Identifier: Apache-2.0
#include "core/event_bus.h"

#include <algorithm>
#include <exception>

#include "base/log.h"

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

void EventBus::Turn::fire(std::shared_ptr<Event> event) {
  event->sequence = ++bus_.last_sequence_;
  event->time_fired = now_;
  EventPtr fired = std::move(event);
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

std::uint64_t EventBus::fire(std::string_view type, std::string data_json, Origin origin, const Context& context,
                             FiredBy by) {
  auto event = std::make_shared<Event>(type, std::move(data_json), origin, context);
  event->by_client = by == FiredBy::client;
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

void EventBus::run_guarded(const Task& task) {
  try {
    task();
  } catch (const std::exception& failure) {
    base::log_error("events", "a task on the bus thread failed: {}", failure.what());
  }
}

}  // namespace hearth::core
