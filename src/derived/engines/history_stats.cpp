// SPDX-License-Identifier: Apache-2.0
#include "derived/engines/history_stats.h"

#include <algorithm>

#include "automation/config/parsing.h"
#include "derived/platforms.h"

namespace hearth::derived {
using base::Timestamp;

void HistoryStats::receive(const Reading& reading) {
  const bool fits = reading.state && options_.states.contains(reading.state->value());
  if (reading.why == Reading::Why::past) {
    const Timestamp at = reading.state->last_changed();
    if (was_asked_for(at)) earlier_.push_back({at, fits});
    return;
  }
  const Timestamp at = reading.state ? reading.state->last_changed() : reading.at;
  if (!turns_.empty() && (turns_.back().fits == fits || at < turns_.back().at)) return;
  if (turns_.size() == kMostStates) turns_.pop_front();
  turns_.push_back({at, fits});
}

// Values from history belong before the rest.
void HistoryStats::join() {
  if (earlier_.empty()) return;
  earlier_.insert(earlier_.end(), turns_.begin(), turns_.end());
  std::ranges::sort(earlier_, {}, &Turn::at);
  turns_.clear();
  for (const Turn& each : earlier_)
    if (turns_.empty() || turns_.back().fits != each.fits) turns_.push_back(each);
  while (turns_.size() > kMostStates) turns_.pop_front();
  earlier_.clear();
}

void HistoryStats::forget_before(Timestamp start) {
  while (turns_.size() > 1 && turns_[1].at <= start) turns_.pop_front();
  forgot_before(start);
}

HistoryStats::Sum HistoryStats::sum(const Window& window, Timestamp until) const {
  Sum sum;
  for (std::size_t i = 0; i < turns_.size(); ++i) {
    if (!turns_[i].fits) continue;
    const Timestamp from = std::max(turns_[i].at, window.start);
    const Timestamp to = std::min(i + 1 < turns_.size() ? turns_[i + 1].at : until, until);
    if (turns_[i].at > until || to < from || (to == from && to == window.start)) continue;
    sum.time += to - from;
    ++sum.count;
  }
  return sum;
}

Output HistoryStats::show(const Moment& now) {
  join();
  Output shown{.icon = "mdi:chart-line"};
  shown.state_class = options_.state_class;
  if (options_.type == Type::time) {
    shown.unit = "h";
    shown.device_class = "duration";
  } else if (options_.type == Type::ratio) {
    shown.unit = "%";
  }
  const auto of = window(now);
  if (!of) {
    shown.available = false;
    return shown;
  }
  if (of->start > now.time) return shown;
  forget_before(of->start);
  const Sum found = sum(*of, std::min(of->end, now.time));
  const double seconds = std::chrono::duration<double>(found.time).count();
  const double whole = std::chrono::duration<double>(of->end - of->start).count();
  if (options_.type == Type::time)
    shown.value = rounded(seconds / 3'600, 2);
  else if (options_.type == Type::ratio)
    shown.value = rounded(whole > 0 ? 100 * seconds / whole : 0, 1);
  else
    shown.value = json::string(std::to_string(found.count));
  return shown;
}

std::optional<Timestamp> HistoryStats::next(const Moment& now) {
  Timestamp next = std::chrono::floor<std::chrono::minutes>(now.time) + std::chrono::minutes(1);
  if (const auto of = window(now)) {
    for (const Timestamp edge : {of->start, of->end})
      if (edge > now.time) next = std::min(next, edge);
  }
  return next;
}

void parse_history_stats(Keys& in, Plan& plan) {
  HistoryStats::Options options;
  options.source = read_source(in, "entity_id", plan, "");
  in.tell("state", core::field::TextList{});
  in.require("state");
  if (const auto values = automation::read_values(in, "state", true)) {
    if (values->values.empty()) automation::note(in, *in.find("state"), "expected one state or several");
    for (const json::value& each : values->values)
      options.states.emplace(each.is_string() ? std::string(each.get_string()) : base::to_json(each));
  }
  using Type = HistoryStats::Type;
  in.option<Type>("type", options.type, {{"time", Type::time}, {"count", Type::count}, {"ratio", Type::ratio}});
  options.state_class = "measurement";
  in.option<std::string>("state_class", options.state_class,
                         {{"measurement", "measurement"}, {"total_increasing", "total_increasing"}});
  options.window = WindowKeys::read(in, plan);
  if (options.window.has_start + options.window.has_end + (in.find("duration") != nullptr) != 2)
    automation::note(in, in.node(), "expected two of start, end and duration");
  plan.engine = [options] { return std::make_unique<HistoryStats>(options); };
}

}  // namespace hearth::derived
