// SPDX-License-Identifier: Apache-2.0
// How an event recurs: a rule of RFC 5545, by the clocks of the home. Any thread.
//
// Times here are those of a clock on the wall: a day 2031-01-07, or 2031-01-09T10:00:00 without an offset; both ends of
// an event are of the same form. A rule has years, months, weeks or days, so that there is at most one occurrence a
// day, and only parts that lead to one soon: expanding never takes long, whatever the rule says.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"

namespace hearth::domains {

// Of days and times of a clock on the wall, whatever their form: 20310107, 20310109T100000, as clients name an
// occurrence by its first time.
std::string recurrence_id_of(std::string_view wall);
// The other way round; empty if it is none. 20310109T100000Z and with an offset are not.
std::string wall_of_recurrence_id(std::string_view id);
// The time on the wall in the zone: of a day the day itself. REQUIRES: text is a day, or a time with an offset.
std::string wall_time(std::string_view text, const std::string& zone);
// The text that an event has for it: the day itself, or with the offset of the zone.
std::string event_time(std::string_view wall, const std::string& zone);
// So many seconds later; of a day only whole days count.
std::string wall_later(std::string_view wall, std::int64_t seconds);
std::int64_t wall_seconds(std::string_view from, std::string_view until);

class Recurrence {
 public:
  static constexpr std::size_t kMaxRuleBytes = 512;
  static constexpr int kMaxInterval = 1'000;
  static constexpr int kMaxCount = 10'000;

  // `start`: the event's. A UNTIL with Z is a moment, read in the zone. Fails with invalid; the message names rrule.
  static base::Result<Recurrence> parse(std::string_view rule, std::string_view start, const std::string& zone);

  // As it was parsed before. REQUIRES: these made it, and `last` is its last().
  static Recurrence known(std::string_view rule, std::string_view start, std::string_view last);

  // The occurrences from `from` on, in order, until `visit` says no more by false.
  void each(std::string_view from, const std::function<bool(const std::string& start)>& visit) const;
  bool has(std::string_view start) const;
  // Of the last one; empty if there is no last one.
  const std::string& last() const { return last_; }
  // The rule that ends before the occurrence, and the one that goes on from it. REQUIRES: has(start).
  std::string before(std::string_view start) const;
  std::string from(std::string_view start) const;

 private:
  std::string rule_;   // as it was given, without its name
  std::string start_;  // of the event
  std::string last_;
};

}  // namespace hearth::domains
