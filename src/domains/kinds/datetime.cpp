// SPDX-License-Identifier: Apache-2.0
#include "base/text/timestamp.h"
#include "domains/entities/kinds.h"
#include "domains/entities/local_time.h"
#include "domains/entities/thing.h"

namespace hearth::domains {
namespace datetime {

constexpr Input kMoment[] = {{.field = {"datetime", "Date and time, by the home's clocks unless an offset is given.",
                                        "2026-04-20 05:04:20", field::DateTime{}, true},
                              .sets = "state"}};
constexpr Action kActions[] = {{"set_value", "Set", "Sets dates with times.", kMoment}};

// Converts to UTC, which devices get.
base::Result<void> to_utc(const Thing& datetime, Order& order) {
  json::value& given = order.data.at("datetime");
  const auto time = parse_local_time(given.get_string(), datetime.time_zone());
  if (!time) return std::unexpected(time.error());
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
