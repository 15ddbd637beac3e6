// SPDX-License-Identifier: Apache-2.0
#include "derived/cron.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/text/number.h"
#include "base/text/text.h"
#include "core/values/entity_id.h"

namespace hearth::derived {
namespace {

using base::Duration;
using base::Timestamp;
using templates::kDay;
using templates::kSecond;

constexpr std::int64_t kCronMinute = 60 * kSecond, kCronHour = 60 * kCronMinute;

struct Field {
  std::string_view name;
  int min, max;
  std::string_view names;  // of `min`, and so on, by spaces
};
constexpr Field kFields[] = {{"minute", 0, 59, ""},
                             {"hour", 0, 23, ""},
                             {"day of the month", 1, 31, ""},
                             {"month", 1, 12, "jan feb mar apr may jun jul aug sep oct nov dec"},
                             {"day of the week", 0, 7, "sun mon tue wed thu fri sat"}};

std::vector<std::string_view> parts(std::string_view text, char separator) {
  std::vector<std::string_view> all;
  for (;;) {
    const auto end = text.find(separator);
    all.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return all;
    text.remove_prefix(end + 1);
  }
}

std::optional<int> number_in(std::string_view text, const Field& field) {
  if (const auto number = base::parse_integer<int>(text))
    return *number < field.min || *number > field.max ? std::nullopt : number;
  const std::string lower = core::lower_case(text);
  int value = field.min;
  for (const std::string_view name : parts(field.names, ' ')) {
    if (!name.empty() && name == lower) return value;
    ++value;
  }
  return {};
}

// The values of one field; null if it cannot be read.
std::optional<std::vector<int>> values_of(std::string_view text, const Field& field) {
  std::vector<int> all;
  for (std::string_view part : parts(text, ',')) {
    int step = 1;
    if (const auto slash = part.find('/'); slash != std::string_view::npos) {
      const auto given = number_in(part.substr(slash + 1), {"", 1, field.max, ""});
      if (!given) return {};
      step = *given;
      part = part.substr(0, slash);
    }
    const auto dash = part.find('-');
    std::optional<int> first, last;
    if (part == "*") {
      first = field.min;
      last = field.max;
    } else if (dash != std::string_view::npos) {
      first = number_in(part.substr(0, dash), field);
      last = number_in(part.substr(dash + 1), field);
    } else {
      first = number_in(part, field);
      last = step > 1 || text.contains('/') ? std::optional(field.max) : first;
    }
    if (!first || !last || *last < *first) return {};
    for (int value = *first; value <= *last; value += step) all.push_back(value);
  }
  return all;
}

std::int64_t day_of(Timestamp time, const templates::Zone& zone) {
  const std::int64_t local = templates::at(time.time_since_epoch().count(), zone).local;
  return local / kDay - (local % kDay < 0 ? 1 : 0);
}

}  // namespace

base::Result<Cron> Cron::parse(std::string_view text) {
  std::vector<std::string_view> given;
  for (const std::string_view each : parts(base::trim_blanks(text), ' '))
    if (!each.empty()) given.push_back(each);
  const auto wrong = [&](std::string_view what) {
    return base::fail(base::ErrorCode::invalid,
                      fmt::format("expected minute, hour, day of the month, month and day of the week, as in \"0 6 * * "
                                  "mon\"; {}",
                                  what));
  };
  if (given.size() != std::size(kFields)) return wrong(fmt::format("found {} fields", given.size()));
  Cron cron;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const auto values = values_of(given[i], kFields[i]);
    if (!values) return wrong(fmt::format("the {} is {}", kFields[i].name, given[i]));
    for (const int value : *values) {
      const auto at = static_cast<std::size_t>(value);
      if (i == 0) cron.minutes_.set(at);
      if (i == 1) cron.hours_.set(at);
      if (i == 2) cron.days_.set(at);
      if (i == 3) cron.months_.set(at);
      if (i == 4) cron.weekdays_.set(at % 7);
    }
  }
  cron.any_hour_ = given[1] == "*";
  cron.any_day_ = given[2].starts_with('*');
  cron.any_weekday_ = given[4].starts_with('*');
  return cron;
}

bool Cron::has_day(std::int64_t day) const {
  const templates::Fields fields = templates::fields_of(day * kDay);
  if (!months_.test(static_cast<std::size_t>(fields.month))) return false;
  const bool of_month = days_.test(static_cast<std::size_t>(fields.day));
  const bool of_week = weekdays_.test(static_cast<std::size_t>(((day + 4) % 7 + 7) % 7));  // from a Thursday
  // As cron has it: two that are named are an or.
  return any_day_ || any_weekday_ ? of_month && of_week : of_month || of_week;
}

void Cron::each_of_day(std::int64_t day, Timestamp after, const templates::Zone& zone,
                       const std::function<bool(Timestamp)>& found) const {
  if (any_hour_) {
    Timestamp time = std::max(automation::instant_of(day * kDay, zone),
                              Timestamp(Duration((after.time_since_epoch().count() / kCronMinute + 1) * kCronMinute)));
    for (; day_of(time, zone) == day; time += std::chrono::minutes(1)) {
      const std::int64_t local = templates::at(time.time_since_epoch().count(), zone).local;
      if (minutes_.test(static_cast<std::size_t>(local / kCronMinute % 60)) && time > after && !found(time)) return;
    }
    return;
  }
  // Later clock times are no earlier instants.
  const std::int64_t begin =
      day_of(after, zone) == day ? templates::at(after.time_since_epoch().count(), zone).local : day * kDay;
  for (std::int64_t local = day * kDay + (begin - day * kDay) / kCronMinute * kCronMinute; local < (day + 1) * kDay;
       local += kCronMinute) {
    const std::int64_t of_day = local - day * kDay;
    if (!hours_.test(static_cast<std::size_t>(of_day / kCronHour))) {
      local += kCronHour - kCronMinute - of_day % kCronHour;
      continue;
    }
    if (!minutes_.test(static_cast<std::size_t>(of_day / kCronMinute % 60))) continue;
    const Timestamp instant = automation::instant_of(local, zone);
    if (instant > after && day_of(instant, zone) == day && !found(instant)) return;
  }
}

std::optional<Timestamp> Cron::next(Timestamp after, const templates::Zone& zone) const {
  constexpr int kMostDays = 9 * 366;
  const std::int64_t today = day_of(after, zone);
  std::optional<Timestamp> first;
  for (std::int64_t day = today; day <= today + kMostDays && !first; ++day) {
    if (!has_day(day)) continue;
    each_of_day(day, after, zone, [&](Timestamp time) {
      first = time;
      return false;
    });
  }
  return first;
}

Cron::Past Cron::between(Timestamp after, Timestamp until, const templates::Zone& zone) const {
  after = std::max(after, until - std::chrono::days(3'660));
  Past past;
  // Backwards, a day at a time: how many there are may not cost anything.
  const std::int64_t earliest = day_of(after, zone);
  for (std::int64_t day = day_of(until, zone); day >= earliest && past.count < 2; --day) {
    if (!has_day(day)) continue;
    int count = 0;
    Timestamp last, former = after;
    each_of_day(day, after, zone, [&](Timestamp time) {
      if (time > until) return false;
      // Two clock times may be one instant, which counts once.
      if (time > former) ++count;
      last = former = time;
      return true;
    });
    if (count > 0 && past.count == 0) past.last = last;
    past.count = std::min(past.count + count, 2);
  }
  return past;
}

}  // namespace hearth::derived
