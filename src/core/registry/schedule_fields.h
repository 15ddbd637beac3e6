// SPDX-License-Identifier: Apache-2.0
// The times of a schedule, as the items of its collection have them. Any thread.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "base/json/json.h"
#include "base/result.h"

namespace hearth::core {

constexpr std::array<std::string_view, 7> kScheduleDays{"monday", "tuesday",  "wednesday", "thursday",
                                                        "friday", "saturday", "sunday"};

// 24:00, 24:00:00.
bool is_end_of_day(std::string_view time);
// 08:30 of 8:30, as people write it, which the field of a service does not take.
std::string two_digit_hour(std::string_view time);

// Each day that is there is a list of objects of `from`, `to` and perhaps `data`, which do not overlap. Fails with
// invalid.
base::Result<void> check_schedule(const json::object& fields);

}  // namespace hearth::core
