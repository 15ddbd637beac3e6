// SPDX-License-Identifier: Apache-2.0
#include "automation/triggers/alarm.h"

namespace hearth::automation {

Alarm::Alarm(core::Hub& hub, std::function<bool()> clock_is_set, Next next, Ring ring, Ring missed)
    : hub_(hub),
      clock_is_set_(std::move(clock_is_set)),
      next_(std::move(next)),
      ring_(std::move(ring)),
      missed_(std::move(missed)) {
  zone_changes_ = hub.bus.listen(core::event_type::kCoreConfigUpdated, [this](const core::Event&) { set(); });
  set();
}

void Alarm::set() {
  base::Timestamp after = hub_.clock.now();
  if (last_ && *last_ > after && *last_ - after <= kBack) after = *last_;
  timer_ = hub_.bus.schedule(kBetweenLooks, [this] { set(); });  // if the following throws
  guessed_ = !clock_is_set_();
  const auto time = next_(after);
  timer_ = time ? hub_.bus.schedule_at(time->at, [this, due_at = *time] { due(due_at); }) : core::Timer();
}

std::vector<DueTime> Alarm::between(base::Timestamp after, base::Timestamp until, std::size_t most) const {
  // In a span that ends at `until` and grows until it has enough: how long the whole is may not cost anything.
  for (base::Duration span = std::chrono::minutes(1);; span *= 8) {
    const bool is_whole = span >= until - after;
    std::vector<DueTime> times;
    base::Timestamp from = is_whole ? after : until - span;
    for (auto time = next_(from); time && time->at <= until && time->at > from; time = next_(from)) {
      times.push_back(*time);
      from = time->at;
    }
    if (!is_whole && times.size() < most) continue;
    if (times.size() > most) times.erase(times.begin(), times.end() - static_cast<std::ptrdiff_t>(most));
    return times;
  }
}

void Alarm::due(const DueTime& time) {
  // Until the clock is set, and if the following throws.
  timer_ = hub_.bus.schedule(kBetweenLooks, [this, time] { due(time); });
  if (!clock_is_set_()) return;
  const bool missed = hub_.clock.now() - time.at > kLate, guessed = guessed_;
  if (!missed) last_ = time.at;
  set();
  if (missed && guessed) return;  // the clock was set, not ahead
  (missed ? missed_ : ring_)(time);
}

}  // namespace hearth::automation
