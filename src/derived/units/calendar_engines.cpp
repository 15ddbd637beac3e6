// SPDX-License-Identifier: Apache-2.0
#include "derived/units/calendar_engines.h"

#include <fmt/format.h>

#include <algorithm>

#include "automation/config/parsing.h"
#include "base/text/number.h"
#include "derived/engines/calendar_rules.h"
#include "derived/platforms.h"

namespace hearth::derived {
namespace {

using base::Timestamp;
using templates::kDay;

constexpr std::size_t kMostNamedDays = 1'000;
constexpr std::string_view kSeasons[] = {"spring", "summer", "autumn", "winter"};

std::int64_t local_day(Timestamp time, const templates::Zone& zone) {
  const std::int64_t local = templates::at(time.time_since_epoch().count(), zone).local;
  return (local - (local % kDay + kDay) % kDay) / kDay;
}

std::optional<std::int64_t> parse_date(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return {};
  const auto year = base::parse_integer<int>(text.substr(0, 4)), month = base::parse_integer<int>(text.substr(5, 2)),
             day = base::parse_integer<int>(text.substr(8));
  if (!year || !month || !day) return {};
  const auto local = templates::local_of({*year, *month, *day, 0, 0, 0, 0});
  return local ? std::optional(*local / kDay) : std::nullopt;
}

}  // namespace

std::optional<NamedDays> NamedDays::parse(std::string_view text) {
  NamedDays made;
  constexpr std::string_view kEaster = "easter";
  if (text.starts_with(kEaster)) {
    made.kind = Kind::easter;
    text.remove_prefix(kEaster.size());
    if (text.empty()) return made;
    const bool later = text.front() == '+';
    if (!later && text.front() != '-') return {};
    const auto days = base::parse_integer<int>(text.substr(1));
    if (!days || *days < 0 || *days > 100) return {};
    made.after_easter = later ? *days : -*days;
    return made;
  }
  if (text.size() == 5 && text[2] == '-') {
    const auto month = base::parse_integer<int>(text.substr(0, 2)), day = base::parse_integer<int>(text.substr(3));
    // Of a leap year, which has every day.
    if (!month || !day || !templates::local_of({2024, *month, *day, 0, 0, 0, 0})) return {};
    made.kind = Kind::yearly;
    made.month = *month;
    made.day = *day;
    return made;
  }
  const auto comma = text.find(',');
  const auto first = parse_date(text.substr(0, comma));
  const auto last = comma == std::string_view::npos ? first : parse_date(text.substr(comma + 1));
  if (!first || !last || *last < *first) return {};
  made.first = *first;
  made.last = *last;
  return made;
}

bool NamedDays::has(std::int64_t which) const {
  const templates::Fields date = templates::fields_of(which * kDay);
  switch (kind) {
    case Kind::days:
      return first <= which && which <= last;
    case Kind::yearly:
      return date.month == month && date.day == day;
    case Kind::easter:
      return which == easter_of(date.year) + after_easter;
  }
  return false;
}

bool Workday::works_on(std::int64_t day) const {
  const int weekday = automation::weekday_of({day * kDay, templates::Zone::utc()});
  const auto any = [&](const std::vector<NamedDays>& all) {
    return std::ranges::any_of(all, [&](const NamedDays& each) { return each.has(day); });
  };
  const bool holiday = any(options_.added) && !any(options_.removed);
  const auto in = [&](const Days& days) { return days.weekdays.has(weekday) || (days.holidays && holiday); };
  return in(options_.workdays) && !in(options_.excludes);
}

Output Workday::show(const Moment& now) {
  const auto list = [](const Days& days) { return json::array(days.written.begin(), days.written.end()); };
  return {.value = works_on(local_day(now.time, now.zone) + options_.offset),
          .attributes = {{"days_offset", options_.offset},
                         {"excludes", list(options_.excludes)},
                         {"workdays", list(options_.workdays)}}};
}

std::optional<Timestamp> Workday::next(const Moment& now) {
  return automation::instant_of((local_day(now.time, now.zone) + 1) * kDay, now.zone);
}

core::Registration add_workday_service(core::Hub& hub, const ForEachUnit& for_each) {
  core::ServiceDescription description;
  description.domain = "workday";
  description.service = "check_date";
  description.name = "Check date";
  description.description = "Says whether a day is a workday.";
  description.fields = {{"check_date", "The day.", "2026-12-24", core::field::Date{}, true}};
  description.target_domains = {"binary_sensor"};
  description.response = core::ResponseSupport::only;
  return hub.services.add(
      std::move(description), [for_each](const core::ServiceCall& call, const core::ServiceReply& reply) {
        const std::string_view date = call.data().at("check_date").get_string();
        const auto day = parse_date(date);
        if (!day) {
          return reply(base::fail(base::ErrorCode::invalid,
                                  fmt::format("check_date: expected a date such as 2026-12-24, got {}", date)));
        }
        json::object answers;
        for (std::size_t i = 0; i < call.entity_ids().size(); ++i) {
          const std::string& id = call.entity_ids()[i];
          std::optional<bool> works;
          for_each([&](const Unit& unit) {
            if (!works) works = unit.is_workday(id, *day);
          });
          if (works)
            answers[id] = json::object{{"workday", *works}};
          else if (call.named(i))
            return reply(base::fail(base::ErrorCode::invalid, fmt::format("{} is not a workday sensor.", id)));
        }
        reply(std::move(answers));
      });
}

Timestamp Season::begin(int year, int quarter, const Moment& now) const {
  if (!meteorological_) return quarter_of(year, static_cast<Quarter>(quarter));
  return automation::instant_of(*templates::local_of({year, 3 + 3 * quarter, 1, 0, 0, 0, 0}), now.zone);
}

Output Season::show(const Moment& now) {
  Output shown{.attributes = {{"options", json::array(std::begin(kSeasons), std::end(kSeasons))}},
               .device_class = "enum",
               .icon = "mdi:cloud"};
  if (now.place.latitude == 0) return shown;
  const int year = templates::fields_of(templates::at(now.time.time_since_epoch().count(), now.zone).local).year;
  int season = 3;
  for (int quarter = 0; quarter < 4; ++quarter)
    if (begin(year, quarter, now) <= now.time) season = quarter;
  if (now.place.latitude < 0) season = (season + 2) % 4;
  constexpr std::string_view icons[] = {"mdi:flower", "mdi:sunglasses", "mdi:leaf", "mdi:snowflake"};
  shown.value = json::string(kSeasons[season]);
  shown.icon = icons[season];
  return shown;
}

std::optional<Timestamp> Season::next(const Moment& now) {
  const int year = templates::fields_of(templates::at(now.time.time_since_epoch().count(), now.zone).local).year;
  for (const int each : {year, year + 1})
    for (int quarter = 0; quarter < 4; ++quarter)
      if (const Timestamp time = begin(each, quarter, now); time > now.time) return time;
  return {};
}

namespace {

Workday::Days read_days(Keys& in, std::string_view key, std::vector<std::string> otherwise) {
  Workday::Days days{.written = std::move(otherwise)};
  in.texts(key, days.written, {"mon", "tue", "wed", "thu", "fri", "sat", "sun", "holiday"});
  for (const std::string& name : days.written) {
    if (name == "holiday")
      days.holidays = true;
    else if (const auto weekday = automation::parse_weekday(name))
      days.weekdays.add(*weekday);
    else
      automation::note(in, *in.find(key), in.find(key)->mismatch("mon, tue, wed, thu, fri, sat, sun or holiday"));
  }
  return days;
}

std::vector<NamedDays> read_named_days(Keys& in, std::string_view key) {
  std::vector<NamedDays> days;
  in.parsed_list(key, days, "a date such as 2026-12-24, 12-25 for each year, or easter+1", &NamedDays::parse);
  if (days.size() > kMostNamedDays)
    automation::note(in, *in.find(key), fmt::format("expected at most {} dates", kMostNamedDays));
  return days;
}

}  // namespace

void parse_workday(Keys& in, Plan& plan) {
  Workday::Options options;
  options.workdays = read_days(in, "workdays", {"mon", "tue", "wed", "thu", "fri"});
  options.excludes = read_days(in, "excludes", {"sat", "sun", "holiday"});
  in.integer("days_offset", options.offset, -366, 366);
  options.added = read_named_days(in, "add_holidays");
  options.removed = read_named_days(in, "remove_holidays");
  for (const char* const key : {"country", "province", "language"})
    if (const base::ConfigNode* const node = in.find(key); node && !node->is_empty())
      automation::note(in, *node,
                       "the holidays of countries are not known here; name them in add_holidays: a date such as "
                       "2026-12-24, 12-25 for each year, or easter+1");
  plan.engine = [options] { return std::make_unique<Workday>(options); };
}

void parse_season(Keys& in, Plan& plan) {
  bool meteorological = false;
  in.option<bool>("type", meteorological, {{"astronomical", false}, {"meteorological", true}});
  plan.engine = [meteorological] { return std::make_unique<Season>(meteorological); };
}

}  // namespace hearth::derived
