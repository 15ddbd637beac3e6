// SPDX-License-Identifier: Apache-2.0
// A time zone as templates see it: the tzinfo of a datetime. Any thread.
#pragma once

#include <optional>

#include "template/values/value.h"

namespace hearth::templates {

// None without a zone.
Value zone_value(const Zone& zone);
// The zone that the value stands for, none for None; null if it stands for none.
std::optional<Zone> zone_of(const Value& value);

}  // namespace hearth::templates
