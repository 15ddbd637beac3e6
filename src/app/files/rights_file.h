// SPDX-License-Identifier: Apache-2.0
// A user's policy, as an administrator writes it for `hearth user rights`:
//
//   read: {areas: [kitchen], domains: [weather], entities: [sensor.outdoor_temperature]}
//   control: {areas: [kitchen]}
//
// Each part has `all: true`, `entities`, `domains`, `areas` (ids), `labels` and, at a fleet's portal, `sites`, all
// optional.
#pragma once

#include <string>
#include <string_view>

#include "base/config/config_reader.h"
#include "base/result.h"
#include "core/rights/rights.h"

namespace hearth::app {

// Fails with invalid; the message has a line for each error, with `file` and the line number.
base::Result<core::Policy> read_rights(std::string_view text, const std::string& file);
// One part of a policy.
void read_selection(base::ConfigReader& in, core::Selection& selection);
// The reverse of read_rights, for people.
std::string rights_text(const core::Policy& policy);
// On one line: both parts, or the one that they have in common.
std::string short_rights_text(const core::Policy& policy);

}  // namespace hearth::app
