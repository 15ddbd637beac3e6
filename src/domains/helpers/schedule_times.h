// SPDX-License-Identifier: Apache-2.0
// Finds when a schedule is on. Any thread.
#pragma once

#include <optional>
#include <string>

#include "base/clock.h"
#include "base/json/json.h"

namespace hearth::domains {

struct ScheduleMoment {
  const json::object* block = nullptr;  // of the fields; null while it is off
  std::optional<base::Timestamp> next;  // when a time begins or ends; null if none ever does
};

// `fields`: of an item of the collection `schedule`. `zone`: as in Europe/Berlin.
ScheduleMoment schedule_at(const json::object& fields, base::Timestamp now, const std::string& zone);

}  // namespace hearth::domains
