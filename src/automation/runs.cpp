// SPDX-License-Identifier: Apache-2.0
#include "automation/runs.h"

#include "base/log.h"

namespace hearth::automation {

Runs::Runs(std::shared_ptr<const Item> item, Home& home, std::function<void()> changed)
    : item_(std::move(item)), home_(home), changed_(std::move(changed)), alive_(std::make_shared<Runs*>(this)) {}

Runs::~Runs() {
  cancel();
}

Runs::Begun Runs::begin(Order order) {
  const bool limited = item_->mode == Mode::queued || item_->mode == Mode::parallel;
  if (home_.runs >= Home::kMaxRuns) return drop(order, "too many runs are under way in the home");
  if (item_->mode == Mode::single && current() > 0) return drop(order, "it is already running");
  if (limited && current() >= item_->max) return drop(order, "as many as allowed are running");
  if (item_->mode == Mode::restart) cancel();
  if (item_->mode == Mode::queued && current() > 0) {
    queue_.push_back(std::move(order));
    return Begun::queued;
  }
  start(std::move(order));
  return Begun::started;
}

Runs::Begun Runs::drop(Order& order, std::string_view why) {
  switch (item_->if_exceeded) {
    case IfExceeded::silent:
      break;
    case IfExceeded::debug:
      base::log_debug("automation", "{} does not run: {}", item_->alias, why);
      break;
    case IfExceeded::info:
      base::log_info("automation", "{} does not run: {}", item_->alias, why);
      break;
    case IfExceeded::warning:
      base::log_warning("automation", "{} does not run: {}", item_->alias, why);
      break;
    case IfExceeded::error:
      base::log_error("automation", "{} does not run: {}", item_->alias, why);
      break;
  }
  if (order.ended) order.ended(nullptr);
  return Begun::dropped;
}

void Runs::start(Order order) {
  const std::uint64_t number = ++last_number_;
  const auto post = [&bus = home_.hub.bus, alive = std::weak_ptr(alive_), number](std::function<void(Run&)> task) {
    bus.post([alive, number, task = std::move(task)] {
      if (const auto self = alive.lock()) (*self)->enter(number, task);
    });
  };
  Running& running = running_[number];
  running.ended = std::move(order.ended);
  running.run = std::make_unique<Run>(item_, home_, std::move(order.context), std::move(order.variables), post);
  running.run->start();
  settle(number);
}

void Runs::enter(std::uint64_t number, const std::function<void(Run& run)>& task) {
  const auto found = running_.find(number);
  if (found == running_.end()) return;
  task(*found->second.run);
  if (!settle(number)) return;
  start_queued();
  changed_();
}

bool Runs::settle(std::uint64_t number) {
  const auto found = running_.find(number);
  if (found == running_.end()) return true;
  if (!found->second.run->result()) return false;
  const Running ended = std::move(found->second);
  running_.erase(found);
  const Run::Result& result = *ended.run->result();
  if (result.end == Run::End::failed && std::exchange(last_error_, result.text) != result.text)
    base::log_error("automation", "{}: {}", item_->alias, result.text);
  if (ended.ended) ended.ended(&result);
  return true;
}

void Runs::start_queued() {
  while (running_.empty() && !queue_.empty()) {
    Order next = std::move(queue_.front());
    queue_.pop_front();
    start(std::move(next));
  }
}

void Runs::cancel() {
  const auto running = std::exchange(running_, {});
  const auto queue = std::exchange(queue_, {});
  for (const auto& [number, each] : running) {
    if (each.ended) each.ended(nullptr);
  }
  for (const Order& each : queue) {
    if (each.ended) each.ended(nullptr);
  }
}

}  // namespace hearth::automation
