// SPDX-License-Identifier: Apache-2.0
#include "domains/helpers/timer_helper.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/config/duration.h"
#include "base/text/timestamp.h"
#include "base/text/utf8.h"

namespace hearth::domains {
namespace {

using base::Duration;
using base::ErrorCode;

constexpr Duration kNone{0};

// Of a field that check() has let pass; none if it is absent.
Duration given_in(const json::object& data) {
  const json::value* const value = data.if_contains("duration");
  return value ? base::duration_of(*value).value_or(kNone) : kNone;
}

std::optional<Duration> shown(const json::object& attributes, std::string_view key) {
  const json::value* const value = attributes.if_contains(key);
  const auto duration = value && value->is_string() ? base::parse_duration(value->get_string()) : std::nullopt;
  return duration && *duration >= kNone ? duration : std::nullopt;
}

}  // namespace

Duration TimerHelper::configured() const {
  const json::value* const value = item_.fields.if_contains("duration");
  return value ? base::duration_of(*value).value_or(kNone) : kNone;
}

Duration TimerHelper::left() const {
  return std::max(kNone, std::chrono::duration_cast<Duration>(due_ - hub_.clock.steady_now()));
}

Report TimerHelper::first(const Kind&, const core::State* last) {
  duration_ = configured();
  if (last) {
    const json::object attributes = last->attributes();
    const json::value* const transition = attributes.if_contains("last_transition");
    if (transition && transition->is_string()) last_transition_ = transition->get_string();
  }
  if (last && (last->value() == "active" || last->value() == "paused")) {
    const json::object attributes = last->attributes();
    const json::value* const end = attributes.if_contains("finishes_at");
    const auto parsed = end && end->is_string() ? base::parse_timestamp(end->get_string())
                                                : base::fail(ErrorCode::invalid, "there is none");
    duration_ = shown(attributes, "duration").value_or(duration_);
    remaining_ = std::min(shown(attributes, "remaining").value_or(duration_), duration_);
    if (last->value() == "paused") {
      phase_ = Phase::paused;
    } else if (parsed) {
      phase_ = Phase::active;
      // A clock that was set back makes no run longer.
      end_ = std::min(*parsed, hub_.clock.now() + duration_);
      due_ = hub_.clock.steady_now() + std::max(kNone, end_ - hub_.clock.now());
    }
  }
  return report();
}

Report TimerHelper::report() const {
  constexpr std::string_view names[] = {"idle", "active", "paused"};
  json::object attributes{{"duration", base::clock_text(duration_)},
                          {"remaining", nullptr},
                          {"finishes_at", nullptr},
                          {"last_transition", nullptr},
                          {"editable", editable_},
                          {"restore", nullptr}};
  if (const json::value* const restore = item_.fields.if_contains("restore"); restore && restore->get_bool())
    attributes["restore"] = true;
  if (phase_ != Phase::idle) attributes["remaining"] = base::clock_text(remaining_);
  if (phase_ == Phase::active) attributes["finishes_at"] = base::to_string(end_);
  if (!last_transition_.empty()) attributes["last_transition"] = last_transition_;
  return {.value = names[static_cast<int>(phase_)], .attributes = std::move(attributes)};
}

void TimerHelper::home_started() {
  if (phase_ == Phase::active) wait();
}

void TimerHelper::show() {
  if (phase_ == Phase::idle) duration_ = configured();
  thing_->report(report());
}

base::Result<void> TimerHelper::check(const Action& action, const json::object& data) const {
  const json::value* const value = data.if_contains("duration");
  const auto duration = value ? base::duration_of(*value) : std::nullopt;
  const bool changes = action.service == "change";
  if (value && (!duration || (!changes && *duration < kNone))) {
    return base::fail(ErrorCode::invalid,
                      fmt::format("duration: expected {}{}, got {}", base::kDurationForm,
                                  changes ? ", perhaps with a minus" : "", base::utf8_excerpt(base::to_json(*value))));
  }
  if (!changes) return {};
  if (phase_ != Phase::active) {
    return base::fail(ErrorCode::invalid,
                      fmt::format("{} is not running, only active timers can be changed.", entity_id()));
  }
  const Duration then = left() + duration.value_or(kNone);
  if (then > duration_) {
    return base::fail(ErrorCode::invalid, fmt::format("duration: {} cannot run longer than its duration, {}.",
                                                      entity_id(), base::clock_text(duration_)));
  }
  if (then < kNone)
    return base::fail(ErrorCode::invalid, fmt::format("duration: {} has less than that left.", entity_id()));
  return {};
}

void TimerHelper::act(const Action& action, const json::object& data) {
  if (action.service == "start") return start(given_in(data));
  if (action.service == "change") return change(given_in(data));
  if (action.service == "pause") return pause();
  const bool was_active = phase_ == Phase::active, was_idle = phase_ == Phase::idle;
  const core::Context context = thing_->command_context();
  if (action.service == "cancel") {
    rest();
    tell(was_idle ? "" : "timer.cancelled", context);
  } else if (was_active) {
    rest();
    tell("timer.finished", context, hub_.clock.now());
  } else {
    tell("", context);
  }
}

void TimerHelper::start(Duration given) {
  const std::string_view event = phase_ == Phase::idle ? "timer.started" : "timer.restarted";
  if (given > kNone)
    duration_ = remaining_ = given;
  else if (phase_ != Phase::paused)
    remaining_ = duration_;
  phase_ = Phase::active;
  due_ = hub_.clock.steady_now() + remaining_;
  end_ = hub_.clock.now() + remaining_;
  wait();
  tell(event, thing_->command_context());
}

void TimerHelper::pause() {
  const bool runs = phase_ == Phase::active;
  if (runs) {
    remaining_ = left();
    phase_ = Phase::paused;
    alarm_ = {};
  }
  tell(runs ? "timer.paused" : "", thing_->command_context());
}

void TimerHelper::change(Duration by) {
  due_ += by;
  remaining_ = left();
  end_ = hub_.clock.now() + remaining_;
  wait();
  tell("timer.changed", thing_->command_context());
}

void TimerHelper::rest() {
  phase_ = Phase::idle;
  duration_ = configured();
  alarm_ = {};
}

void TimerHelper::wait() {
  alarm_ = hub_.bus.schedule(left(), [this] { run_out(); });
}

void TimerHelper::run_out() {
  const base::Timestamp end = end_;
  rest();
  tell("timer.finished", core::Context::create(hub_.clock.now()), end);
}

void TimerHelper::tell(std::string_view event, const core::Context& context, std::optional<base::Timestamp> finished) {
  if (!event.empty() && event != "timer.changed") last_transition_ = event.substr(event.find('.') + 1);
  thing_->report(report(), &context);
  if (const core::StatePtr state = hub_.states.find(entity_id()); state && journal_) {
    journal_->keep(state);
    journal_->when_written([] {});
  }
  if (event.empty() || !thing_->enabled()) return;
  json::object data{{"entity_id", entity_id()}};
  if (finished) data["finished_at"] = base::to_string(*finished);
  hub_.bus.fire(event, base::to_json(data), core::Origin::local, context);
}

}  // namespace hearth::domains
