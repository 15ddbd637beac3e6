// SPDX-License-Identifier: Apache-2.0
// The policy of a group of users there, as rights here. Any thread.
#pragma once

#include <optional>

#include "base/json/json.h"
#include "core/rights/rights.h"

namespace hearth::import_ha {

// {"entities": {"entity_ids": {"light.a": true}, "area_ids": {"kitchen": {"read": true}}, "domains": …, "all": …}}, or
// {"entities": true}. Null if rights here cannot say the same: of a device, with `false` or `edit`, or with control but
// not read.
std::optional<core::Policy> policy_of(const json::value& policy);

}  // namespace hearth::import_ha
