// SPDX-License-Identifier: Apache-2.0
#include "derived/engines/time_of_day.h"

#include <algorithm>

#include "automation/config/parsing.h"
#include "automation/values/duration.h"
#include "automation/values/local_times.h"
#include "derived/platforms.h"

namespace hearth::derived {
namespace {

using base::Duration;
using base::Timestamp;
using templates::kDay;

std::int64_t local_day_of(Timestamp time, const templates::Zone& zone) {
  const std::int64_t local = templates::at(time.time_since_epoch().count(), zone).local;
  return (local - (local % kDay + kDay) % kDay) / kDay;
}

std::optional<Timestamp> on_day(const TimesOfDay::Edge& edge, std::int64_t day, const Moment& now) {
  if (const Duration* const time = std::get_if<Duration>(&edge))
    return automation::instant_of(day * kDay + time->count(), now.zone);
  const auto found = domains::next_sun_event(std::get<domains::SunEvent>(edge),
                                             automation::instant_of(day * kDay, now.zone) - Duration(1), now.place);
  return found && local_day_of(*found, now.zone) == day ? found : std::nullopt;
}

}  // namespace

std::optional<TimesOfDay::Span> TimesOfDay::of_day(std::int64_t day, const Moment& now) const {
  const auto after = on_day(options_.after, day, now);
  if (!after) return {};
  auto before = on_day(options_.before, day, now);
  if (const auto* const sun = std::get_if<domains::SunEvent>(&options_.before)) {
    if (!before || *before < *after) before = domains::next_sun_event(*sun, *after, now.place);
  } else if (const auto* const time = std::get_if<Duration>(&options_.after)) {
    // By what the clocks show: a change of them does not move it to another day.
    if (std::get<Duration>(options_.before) < *time + options_.after_offset)
      before = on_day(options_.before, day + 1, now);
  } else if (*before < *after + options_.after_offset) {
    before = on_day(options_.before, day + 1, now);
  }
  if (!before) return {};
  return Span{*after + options_.after_offset, *before + options_.before_offset};
}

TimesOfDay::Look TimesOfDay::look(const Moment& now) const {
  Look found;
  const std::int64_t today = local_day_of(now.time, now.zone);
  for (std::int64_t day = today - 3; day <= today + 3; ++day) {
    const auto span = of_day(day, now);
    if (!span || span->before <= span->after || span->before <= now.time) continue;
    found.on = span->after <= now.time;
    found.next = found.on ? span->before : span->after;
    found.span = span;
    return found;
  }
  // Where the sun neither rises nor sets for days, or the two are never apart.
  found.next = automation::instant_of((today + 1) * kDay, now.zone);
  return found;
}

Output TimesOfDay::show(const Moment& now) {
  const Look found = look(now);
  const auto text = [&](std::optional<Timestamp> time) {
    if (!time) return json::value();
    return json::value(
        json::string(templates::to_text(templates::at(time->time_since_epoch().count(), now.zone), 'T')));
  };
  return {.value = found.on,
          .attributes = {{"after", text(found.span ? std::optional(found.span->after) : std::nullopt)},
                         {"before", text(found.span ? std::optional(found.span->before) : std::nullopt)},
                         {"next_update", text(found.next)}}};
}

std::optional<Timestamp> TimesOfDay::next(const Moment& now) {
  return look(now).next;
}

void parse_tod(Keys& in, Plan& plan) {
  TimesOfDay::Options options;
  for (const auto& [key, edge] : {std::pair("after", &options.after), std::pair("before", &options.before)}) {
    in.require(key);
    in.parsed(
        key, *edge, "a time of day such as \"06:30\", sunrise or sunset",
        [](std::string_view text) -> std::optional<TimesOfDay::Edge> {
          if (text == "sunrise") return domains::SunEvent::rise;
          if (text == "sunset") return domains::SunEvent::set;
          const auto time = automation::parse_time_of_day(text);
          return time ? std::optional<TimesOfDay::Edge>(*time) : std::nullopt;
        },
        "sunrise sunset");
  }
  for (const auto& [key, offset] :
       {std::pair("after_offset", &options.after_offset), std::pair("before_offset", &options.before_offset)}) {
    *offset = in.shift(key);
    if (std::chrono::abs(*offset) > std::chrono::days(1)) automation::note(in, *in.find(key), "expected at most a day");
  }
  if (plan.name.empty()) automation::note_missing(in, in.node(), "name");
  plan.engine = [options] { return std::make_unique<TimesOfDay>(options); };
}

}  // namespace hearth::derived
