// SPDX-License-Identifier: Apache-2.0
// Changes the unit of an imported statistic, for a command. Worker thread.
#pragma once

#include <optional>
#include <string>

#include "api/gateway/command.h"

namespace hearth::api {

// Fails with not_found. No unit: it is unknown.
void change_imported_unit(const CommandCall& call, const std::string& statistic_id, std::optional<std::string> unit,
                          CommandReply reply);

}  // namespace hearth::api
