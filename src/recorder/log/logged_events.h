// SPDX-License-Identifier: Apache-2.0
// The events that the recorder keeps besides state changes: those that the logbook shows, and those that explain a
// change.
#pragma once

#include <array>
#include <string_view>

#include "core/bus/event.h"

namespace hearth::recorder {

constexpr std::array<std::string_view, 7> kLoggedEvents{
    core::event_type::kCallService,
    core::event_type::kPlatformStart,
    core::event_type::kPlatformStop,
    "automation_triggered",
    "script_started",
    "scene_activated",
    "logbook_entry",
};

}  // namespace hearth::recorder
