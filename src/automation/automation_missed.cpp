// SPDX-License-Identifier: Apache-2.0
// Times that an automation has missed: while the hub was down, or as the clock was set forward.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>

#include "automation/automation.h"
#include "base/log/log.h"
#include "base/log/log_scope.h"
#include "base/text/timestamp.h"

namespace hearth::automation {

void Automation::catch_up(base::Timestamp after, base::Timestamp until) {
  std::vector<TriggerWatch::MissedTime> all;
  for (const auto& watch : armed_.watches) {
    auto some = watch->missed(after, until, kMostMissed);
    std::ranges::move(some, std::back_inserter(all));
  }
  TriggerWatch::keep_last(all, kMostMissed);
  report_missed(all, "down", "while the hub was down");
  make_up_for(all);
}

void Automation::make_up_for_jump(std::vector<TriggerWatch::MissedTime> times) {
  report_missed(times, "expired", "as the clock was set forward");
  if (item_->missed == Missed::skip) return;
  if (jumped_over_.empty()) {
    jump_timer_ = home_.hub.bus.schedule(kJumpTime, [this] {
      auto all = std::exchange(jumped_over_, {});
      TriggerWatch::keep_last(all, kMostMissed);
      make_up_for(all);
    });
  }
  std::ranges::move(times, std::back_inserter(jumped_over_));
}

void Automation::report_missed(const std::vector<TriggerWatch::MissedTime>& times, std::string_view why,
                               std::string_view while_what) {
  if (times.empty()) return;
  for (const auto& each : times)
    home_.missed.add({"automation." + item_->unique_id, each.due.at, each.trigger_id, std::string(why)});
  const std::string message =
      fmt::format("missed {} time{} {}, {}{}", times.size(), times.size() == 1 ? "" : "s", while_what,
                  times.size() == 1 ? "" : "the last ", base::to_string(times.back().due.at));
  const base::LogScope own({.entity = entity_id()});
  base::log_warning("automation", "{} {}", item_->alias, message);
  home_.hub.bus.fire("logbook_entry",
                     base::to_json(json::object{{"name", item_->alias},
                                                {"message", message},
                                                {"domain", "automation"},
                                                {"entity_id", std::string(entity_id())}}),
                     core::Origin::local, core::Context::create(home_.hub.clock.now()));
}

void Automation::make_up_for(const std::vector<TriggerWatch::MissedTime>& times) {
  if (times.empty() || item_->missed == Missed::skip) return;
  const std::size_t first = item_->missed == Missed::once ? times.size() - 1 : 0;
  for (const auto& each : std::span(times).subspan(first)) {
    late_ = home_.hub.clock.now() - each.due.at;
    each.fire();
    late_ = {};
  }
}

}  // namespace hearth::automation
