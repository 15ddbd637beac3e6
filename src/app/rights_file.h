// SPDX-License-Identifier: Apache-2.0
// What a user may see and do, as an administrator writes it down for `hearth user rights`:
//
//   read: {areas: [kitchen], domains: [weather], entities: [sensor.outdoor_temperature]}
//   control: {areas: [kitchen]}
//
// Each part has `all: true`, `entities`, `domains`, `areas` (ids) and `labels`; what is absent names nothing.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "core/rights.h"

namespace hearth::app {

// Fails with invalid; the message has a line for each thing that is wrong, with `file` and its line.
base::Result<core::Policy> read_rights(std::string_view text, const std::string& file);
// The other way, for people.
std::string rights_text(const core::Policy& policy);

}  // namespace hearth::app
