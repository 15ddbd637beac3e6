// SPDX-License-Identifier: Apache-2.0
#include <date/tz.h>
#include <fmt/format.h>

#include <cstdlib>
#include <stdexcept>

#include "domains/lists/ics_writer.h"

namespace hearth::domains::ics {
namespace {

constexpr const char* kWeekdays[] = {"SU", "MO", "TU", "WE", "TH", "FR", "SA"};

std::string offset_text(std::chrono::seconds offset) {
  const auto minutes = std::abs(offset.count()) / 60;
  return fmt::format("{}{:02}{:02}", offset.count() < 0 ? '-' : '+', minutes / 60, minutes % 60);
}

std::string observance(bool daylight, std::string_view start, std::string_view rule, std::chrono::seconds from,
                       const date::sys_info& to) {
  const char* const name = daylight ? "DAYLIGHT" : "STANDARD";
  return fmt::format("BEGIN:{0}\r\nDTSTART:{1}\r\n{2}TZOFFSETFROM:{3}\r\nTZOFFSETTO:{4}\r\nTZNAME:{5}\r\nEND:{0}\r\n",
                     name, start, rule, offset_text(from), offset_text(to.offset), to.abbrev);
}

// The change of the clocks that begins `to`, as a rule for each year.
std::string yearly(const date::sys_info& from, const date::sys_info& to) {
  const date::local_seconds wall{to.begin.time_since_epoch() + from.offset};
  const auto day = date::floor<date::days>(wall);
  const date::year_month_day date(day);
  const date::hh_mm_ss<std::chrono::seconds> time(wall - day);
  const auto number = static_cast<unsigned>(date.day());
  const auto last =
      static_cast<unsigned>(date::year_month_day_last(date.year(), date::month_day_last(date.month())).day());
  const int nth = number + 7 > last ? -1 : static_cast<int>((number - 1) / 7) + 1;
  const auto month = static_cast<unsigned>(date.month());
  const std::string start = fmt::format("{:04}{:02}{:02}T{:02}{:02}{:02}", static_cast<int>(date.year()), month, number,
                                        time.hours().count(), time.minutes().count(), time.seconds().count());
  const std::string rule = fmt::format("RRULE:FREQ=YEARLY;BYMONTH={};BYDAY={}{}\r\n", month, nth,
                                       kWeekdays[date::weekday(day).c_encoding()]);
  return observance(to.save != std::chrono::minutes(0), start, rule, from.offset, to);
}

}  // namespace

std::string time_zone_component(const std::string& zone, std::string_view wall) {
  const int year = std::atoi(std::string(wall.substr(0, 4)).c_str()) - 1;
  try {
    const date::time_zone* const found = date::locate_zone(zone);
    const date::sys_seconds begin = date::sys_days(date::year(year) / 1 / 1);
    const date::sys_seconds end = date::sys_days(date::year(year + 1) / 1 / 1);
    date::sys_info present = found->get_info(begin);
    const date::sys_info first = present;
    std::string changes;
    for (int i = 0; i < 4 && present.end < end; ++i) {
      const date::sys_info next = found->get_info(present.end);
      changes += yearly(present, next);
      present = next;
    }
    if (changes.empty()) changes = observance(false, "19700101T000000", "", first.offset, first);
    return fmt::format("BEGIN:VTIMEZONE\r\nTZID:{}\r\n{}END:VTIMEZONE\r\n", zone, changes);
  } catch (const std::runtime_error&) {
    return {};
  }
}

}  // namespace hearth::domains::ics
