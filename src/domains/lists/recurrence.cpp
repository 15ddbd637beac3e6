// SPDX-License-Identifier: Apache-2.0
#include "domains/lists/recurrence.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>
#include <vector>

#include "base/text/timestamp.h"
#include "base/text/utf8.h"
#include "core/values/words.h"
#include "domains/entities/local_time.h"
#include "domains/lists/ical_library.h"

namespace hearth::domains {
namespace {

using base::ErrorCode;

constexpr std::size_t kWallDayLength = 10;  // of 2031-01-07
constexpr int kFirstYear = 1901, kLastYear = 2099;
constexpr std::string_view kRuleName = "RRULE:";

struct EndIterator {
  void operator()(icalrecur_iterator* iterator) const { ical().icalrecur_iterator_free(iterator); }
};
using Iterator = std::unique_ptr<icalrecur_iterator, EndIterator>;

std::unexpected<base::Error> wrong_rule(std::string_view why) {
  return base::fail(ErrorCode::invalid, fmt::format("rrule: {}.", why));
}

icaltimetype ical_time(std::string_view wall) {
  return ical().icaltime_from_string(recurrence_id_of(wall).c_str());
}

std::string wall_of(const icaltimetype& time) {
  const std::string day = fmt::format("{:04}-{:02}-{:02}", time.year, time.month, time.day);
  return time.is_date ? day : fmt::format("{}T{:02}:{:02}:{:02}", day, time.hour, time.minute, time.second);
}

base::Timestamp clock_reading(std::string_view wall) {
  return base::parse_timestamp(wall).value_or(base::Timestamp());
}

// The parts of the rule, in capitals; nothing if one has no name or no value.
std::vector<std::pair<std::string, std::string>> parts_of(std::string_view rule) {
  std::vector<std::pair<std::string, std::string>> parts;
  while (!rule.empty()) {
    const std::string_view part = rule.substr(0, rule.find(';'));
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos || equals == 0 || equals + 1 == part.size()) return {};
    parts.emplace_back(part.substr(0, equals), part.substr(equals + 1));
    rule.remove_prefix(std::min(part.size() + 1, rule.size()));
  }
  return parts;
}

std::string joined(const std::vector<std::pair<std::string, std::string>>& parts) {
  std::string rule;
  for (const auto& [name, value] : parts) rule += (rule.empty() ? "" : ";") + name + '=' + value;
  return rule;
}

std::vector<int> numbers(std::span<const short> all) {
  std::vector<int> found;
  for (const short each : all) {
    if (each == ICAL_RECURRENCE_ARRAY_MAX) break;
    found.push_back(each);
  }
  return found;
}

// The parts of a rule that bound what it costs.
struct Shape {
  explicit Shape(const icalrecurrencetype& rule)
      : freq(rule.freq),
        interval(rule.interval),
        months(numbers(rule.by_month)),
        month_days(numbers(rule.by_month_day)),
        year_days(numbers(rule.by_year_day)),
        weeks(numbers(rule.by_week_no)),
        places(numbers(rule.by_set_pos)),
        numbered(false) {
    for (const int day : numbers(rule.by_day)) {
      weekdays.push_back(ical().icalrecurrencetype_day_day_of_week(static_cast<short>(day)));
      nth.push_back(ical().icalrecurrencetype_day_position(static_cast<short>(day)));
      numbered = numbered || nth.back() != 0;
    }
  }

  icalrecurrencetype_frequency freq;
  int interval;
  std::vector<int> months, month_days, year_days, weeks, places, weekdays, nth;
  bool numbered;
};

int greatest(const std::vector<int>& all) {
  int most = 0;
  for (const int each : all) most = std::max(most, std::abs(each));
  return most;
}

// The months in which a rule looks for days.
std::vector<int> months_of(const Shape& shape, const icaltimetype& start) {
  std::vector<int> reached;
  for (int month = 1; month <= 12; ++month) {
    const bool named = std::ranges::find(shape.months, month) != shape.months.end();
    if (!shape.months.empty() && !named) continue;
    if (shape.freq == ICAL_YEARLY_RECURRENCE && shape.months.empty() && shape.month_days.empty() &&
        month != start.month)
      continue;
    bool visited = shape.freq != ICAL_MONTHLY_RECURRENCE;
    for (int step = 0; step < 12; ++step)
      visited = visited || (start.month - 1 + step * shape.interval) % 12 + 1 == month;
    if (visited) reached.push_back(month);
  }
  return reached;
}

int days_in(int month, bool in_leap_years) {
  return month == 2 ? 28 + in_leap_years : ical().icaltime_days_in_month(month, 2001);
}

// Says which part may lead to nothing for very long; empty if none does. Each check is for what would make the library
// search through centuries.
std::string_view barren(const Shape& shape, const icaltimetype& start) {
  const bool by_day_only = shape.month_days.empty() && shape.year_days.empty() && shape.weeks.empty();
  const bool frequent = shape.freq == ICAL_DAILY_RECURRENCE || shape.freq == ICAL_WEEKLY_RECURRENCE;
  if (frequent) {
    if (!by_day_only || !shape.places.empty() || shape.numbered)
      return "a daily or weekly one takes BYDAY without numbers, and BYMONTH";
    if (!shape.months.empty() && shape.interval > 4)
      return "a daily or weekly one with BYMONTH has an INTERVAL up to 4";
    const bool same_day = shape.freq == ICAL_DAILY_RECURRENCE && shape.interval % 7 == 0 && !shape.weekdays.empty();
    if (same_day && std::ranges::find(shape.weekdays, ical().icaltime_day_of_week(start)) == shape.weekdays.end())
      return "BYDAY never comes with this INTERVAL";
    return {};
  }
  const bool yearly = shape.freq == ICAL_YEARLY_RECURRENCE;
  if (!yearly && !(shape.year_days.empty() && shape.weeks.empty())) return "BYYEARDAY and BYWEEKNO are for yearly ones";
  if (!shape.year_days.empty()) {
    if (!shape.weekdays.empty() || !shape.months.empty() || !shape.month_days.empty() || !shape.weeks.empty() ||
        !shape.places.empty())
      return "BYYEARDAY goes with no other part";
    return greatest(shape.year_days) > 365 && shape.interval > 1 ? "BYYEARDAY=366 goes with no INTERVAL" : "";
  }
  if (!shape.weeks.empty()) {
    if (!shape.months.empty() || !shape.month_days.empty() || !shape.places.empty() || shape.numbered)
      return "BYWEEKNO goes with BYDAY without numbers only";
    return greatest(shape.weeks) > 52 && shape.interval > 1 ? "BYWEEKNO=53 goes with no INTERVAL" : "";
  }
  const std::vector<int> months = months_of(shape, start);
  if (months.empty()) return "BYMONTH never comes with this INTERVAL";
  const bool in_months = !yearly || !shape.months.empty();
  if (!shape.places.empty()) {
    if (shape.weekdays.empty() || shape.numbered || !shape.month_days.empty())
      return "BYSETPOS goes with BYDAY without numbers";
    const int certain = static_cast<int>(std::set(shape.weekdays.begin(), shape.weekdays.end()).size()) *
                        (in_months ? 4 * (yearly ? static_cast<int>(months.size()) : 1) : 52);
    return greatest(shape.places) > certain ? "BYSETPOS counts further than there are days" : "";
  }
  if (shape.numbered) {
    if (!shape.month_days.empty()) return "BYDAY with numbers does not go with BYMONTHDAY";
    const bool fifth_may_lack = shape.interval > 1 || months == std::vector{2};
    if (greatest(shape.nth) > (in_months ? (fifth_may_lack ? 4 : 5) : 52))
      return "BYDAY counts further than there are days";
    return {};
  }
  if (!shape.weekdays.empty() && shape.month_days.empty()) return {};
  if (!shape.weekdays.empty() && shape.interval > 1) return "BYDAY and BYMONTHDAY together go with no INTERVAL";
  const std::vector<int> days = shape.month_days.empty() ? std::vector{start.day} : shape.month_days;
  const bool comes = std::ranges::any_of(months, [&](int month) {
    const bool leaps = shape.interval == 1 || (start.month == 2 && start.day == 29);
    return std::ranges::any_of(days, [&](int day) { return std::abs(day) <= days_in(month, leaps); });
  });
  return comes ? "" : "there is no such day";
}

}  // namespace

std::string recurrence_id_of(std::string_view wall) {
  std::string id;
  for (const char each : wall)
    if (each != '-' && each != ':') id += each;
  return id;
}

std::string wall_of_recurrence_id(std::string_view id) {
  const auto digits = [&](std::size_t from, std::size_t count) {
    return id.size() >= from + count &&
           std::ranges::all_of(id.substr(from, count), [](char each) { return each >= '0' && each <= '9'; });
  };
  if (!digits(0, 8)) return {};
  std::string wall = fmt::format("{}-{}-{}", id.substr(0, 4), id.substr(4, 2), id.substr(6, 2));
  if (id.size() > 8) {
    if (id.size() != 15 || id[8] != 'T' || !digits(9, 6)) return {};
    wall += fmt::format("T{}:{}:{}", id.substr(9, 2), id.substr(11, 2), id.substr(13, 2));
  }
  return base::parse_timestamp(wall) ? wall : std::string();
}

std::string wall_time(std::string_view text, const std::string& zone) {
  if (text.size() == kWallDayLength) return std::string(text);
  return local_time_text(clock_reading(text), zone).substr(0, 19);
}

std::string event_time(std::string_view wall, const std::string& zone) {
  if (wall.size() == kWallDayLength) return std::string(wall);
  return local_time_text(parse_local_time(wall, zone).value_or(base::Timestamp()), zone);
}

std::string wall_later(std::string_view wall, std::int64_t seconds) {
  if (wall.size() == kWallDayLength) return next_day(wall, static_cast<int>(seconds / 86'400));
  return base::to_string(clock_reading(wall) + std::chrono::seconds(seconds)).substr(0, 19);
}

std::int64_t wall_seconds(std::string_view from, std::string_view until) {
  return std::chrono::duration_cast<std::chrono::seconds>(clock_reading(until) - clock_reading(from)).count();
}

base::Result<Recurrence> Recurrence::parse(std::string_view text, std::string_view start, const std::string& zone) {
  static constexpr core::Words kParts{
      "FREQ INTERVAL COUNT UNTIL BYDAY BYMONTH BYMONTHDAY BYYEARDAY BYWEEKNO BYSETPOS WKST"};
  if (text.starts_with(kRuleName)) text.remove_prefix(kRuleName.size());
  if (text.size() > kMaxRuleBytes) return wrong_rule(fmt::format("expected at most {} bytes", kMaxRuleBytes));
  auto parts = parts_of(text);
  const auto part = [&](std::string_view name) {
    return std::ranges::find(parts, name, [](const auto& each) { return std::string_view(each.first); });
  };
  if (parts.empty() || part("FREQ") == parts.end())
    return wrong_rule("expected a rule such as FREQ=WEEKLY;BYDAY=TU, got " + base::utf8_excerpt(text));
  for (const auto& [name, value] : parts) {
    if (!kParts.contains(name)) return wrong_rule(base::utf8_excerpt(name) + " is not a part that is known here");
  }
  const std::string& freq = part("FREQ")->second;
  if (!core::Words("YEARLY MONTHLY WEEKLY DAILY").contains(freq))
    return wrong_rule("FREQ: expected YEARLY, MONTHLY, WEEKLY or DAILY, got " + base::utf8_excerpt(freq));
  const bool is_day = start.size() == kWallDayLength;
  std::string until;  // on the wall
  if (const auto found = part("UNTIL"); found != parts.end()) {
    std::string value = found->second;
    const bool in_utc = value.size() == 16 && value.ends_with('Z');
    if (in_utc) value.pop_back();
    until = wall_of_recurrence_id(value);
    if (until.empty()) return wrong_rule("UNTIL: expected 20311231 or 20311231T225959Z");
    if (in_utc) until = wall_time(until + "Z", zone);
    if (is_day) until.resize(kWallDayLength);
    if (!is_day && until.size() == kWallDayLength) until += "T23:59:59";
    if (part("COUNT") != parts.end()) return wrong_rule("COUNT, UNTIL: only one of them");
  }
  std::erase_if(parts, [](const auto& each) { return each.first == "UNTIL"; });
  if (auto loaded = load_ical(); !loaded) return std::unexpected(std::move(loaded.error()));
  icalrecurrencetype rule = ical().icalrecurrencetype_from_string(joined(parts).c_str());
  if (rule.freq == ICAL_NO_RECURRENCE) return wrong_rule(base::utf8_excerpt(text) + " is not a rule of RFC 5545");
  if (rule.interval > kMaxInterval) return wrong_rule(fmt::format("INTERVAL: expected at most {}", kMaxInterval));
  if (rule.count > kMaxCount) return wrong_rule(fmt::format("COUNT: expected at most {}", kMaxCount));
  const icaltimetype first = ical_time(start);
  if (first.year < kFirstYear || first.year > kLastYear)
    return wrong_rule(fmt::format("expected an event that begins in {} to {}", kFirstYear, kLastYear));
  if (const std::string_view why = barren(Shape(rule), first); !why.empty()) return wrong_rule(why);

  Recurrence made;
  made.rule_ = std::string(text);
  made.start_ = start;
  made.last_ = until;
  const int count = rule.count;
  rule.count = 0;
  const Iterator iterator(ical().icalrecur_iterator_new(rule, first));
  if (!iterator) return wrong_rule(base::utf8_excerpt(text) + " has parts that do not go together");
  icaltimetype last = first;
  for (int i = 0; i < std::max(count, 1); ++i) {
    const icaltimetype next = ical().icalrecur_iterator_next(iterator.get());
    if (ical().icaltime_is_null_time(next)) break;
    if (i == 0 && !until.empty() && wall_of(next) > until) return wrong_rule("it ends before it begins");
    last = next;
  }
  if (count > 0) made.last_ = wall_of(last);
  return made;
}

Recurrence Recurrence::known(std::string_view rule, std::string_view start, std::string_view last) {
  Recurrence made;
  made.rule_ = rule;
  made.start_ = start;
  made.last_ = last;
  return made;
}

void Recurrence::each(std::string_view from, const std::function<bool(const std::string& start)>& visit) const {
  if (!load_ical()) return;  // it was there when the rule was parsed
  auto parts = parts_of(rule_);
  std::erase_if(parts, [](const auto& part) { return part.first == "UNTIL" || part.first == "COUNT"; });
  const icalrecurrencetype rule = ical().icalrecurrencetype_from_string(joined(parts).c_str());
  const Iterator iterator(ical().icalrecur_iterator_new(rule, ical_time(start_)));
  if (!iterator) return;
  if (from > start_) ical().icalrecur_iterator_set_start(iterator.get(), ical_time(from));
  while (true) {
    const icaltimetype next = ical().icalrecur_iterator_next(iterator.get());
    if (ical().icaltime_is_null_time(next)) return;
    const std::string wall = wall_of(next);
    if (!last_.empty() && wall > last_) return;
    if (wall >= from && !visit(wall)) return;
  }
}

bool Recurrence::has(std::string_view start) const {
  bool found = false;
  if (start.size() == start_.size())
    each(start, [&](const std::string& next) {
      found = next == start;
      return false;
    });
  return found;
}

std::string Recurrence::before(std::string_view start) const {
  auto parts = parts_of(rule_);
  std::erase_if(parts, [](const auto& part) { return part.first == "UNTIL" || part.first == "COUNT"; });
  const bool is_day = start.size() == kWallDayLength;
  parts.emplace_back("UNTIL", recurrence_id_of(wall_later(start, is_day ? -86'400 : -1)));
  return joined(parts);
}

std::string Recurrence::from(std::string_view start) const {
  auto parts = parts_of(rule_);
  for (auto& [name, value] : parts) {
    if (name != "COUNT") continue;
    int left = 0;
    each(start, [&](const std::string&) { return ++left > 0; });
    value = std::to_string(left);
  }
  return joined(parts);
}

}  // namespace hearth::domains
