// SPDX-License-Identifier: Apache-2.0
// Statistics that another hub tells of the time before those here; see earlier.h. Values.
#pragma once

#include <set>
#include <string>

#include "api/history/earlier.h"
#include "recorder/history/calendar_periods.h"
#include "recorder/history/imported_statistics.h"

namespace hearth::api {

// When the first period here begins, as EarlierQuestion::first; null for what was imported.
decltype(EarlierQuestion::first) first_period(recorder::ImportedStatistics* imported,
                                              const recorder::CalendarPeriods& calendar);

// The rows that end by then, as the objects of an answer with these types. Sums are moved so that the last is
// `sum_after`, if that is given: what follows goes on from it.
std::vector<std::string> rows_of(const Earlier& earlier, base::Timestamp before, const std::set<std::string>& types,
                                 std::optional<double> sum_after);

}  // namespace hearth::api
