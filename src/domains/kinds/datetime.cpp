// SPDX-License-Identifier: Apache-2.0
#include <date/tz.h>

#include <fmt/format.h>

#include "base/timestamp.h"
#include "domains/kinds.h"
#include "domains/thing.h"

namespace hearth::domains {
namespace datetime {

constexpr Input kMoment[] = {{.field = {"datetime", "Date and time, by the home's clocks unless an offset is given.",
                                        "2026-04-20 05:04:20", field::DateTime{}, true},
                              .sets = "state"}};
constexpr Action kActions[] = {{"set_value", "Set", "Sets dates with times.", kMoment}};

bool has_offset(std::string_view text) {
  const std::string_view time = text.substr(std::min<std::size_t>(text.size(), 10));
  return time.find_first_of("Zz+-") != std::string_view::npos;
}

// Converts to UTC, which devices get.
base::Result<void> to_utc(const Thing& datetime, Order& order) {
  json::value& given = order.data.at("datetime");
  auto time = base::parse_timestamp(given.get_string());
  if (!time) return std::unexpected(time.error());
  if (!has_offset(given.get_string())) {
    const auto local = date::local_time<base::Duration>(time->time_since_epoch());
    // A local time that a clock change skips or repeats becomes the earlier one.
    *time = date::locate_zone(datetime.time_zone())->to_sys(local, date::choose::earliest);
  }
  given = base::to_string(*time);
  return {};
}

}  // namespace datetime

constexpr Kind kDateTime{.domain = "datetime",
                         .description = "A date with a time of the day that a device takes. Its state is in UTC.",
                         .value = field::DateTime{},
                         .actions = datetime::kActions,
                         .check = datetime::to_utc};

}  // namespace hearth::domains
