// SPDX-License-Identifier: Apache-2.0
// Reads the text in which a run names its trigger: `state of light.hall`, `time pattern`, `mqtt topic a/b`. Any thread.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "api/history/logbook/logbook_causes.h"

namespace hearth::api {

// The entity in `state of light.hall`; empty if there is none.
std::string entity_of_source(std::string_view source);
// The trigger's name in a configuration, such as time_pattern.
std::string_view platform_of_source(std::string_view source);
bool is_of_clock(std::string_view source);

// Keeps to itself what triggered a run unless that is the clock, the hub, or an entity that the caller may read.
void hide_source(LogbookCause& cause, const std::function<bool(std::string_view entity_id)>& reads);

}  // namespace hearth::api
