// SPDX-License-Identifier: Apache-2.0
// Reads the platforms of `notify:` that send messages to servers, files and commands. Any thread.
#pragma once

#include <memory>

#include "automation/items/sections.h"
#include "building_blocks/notify/notify_plan.h"
#include "configured/section.h"
#include "core/values/words.h"

namespace hearth::building_blocks {

constexpr core::Words kNotifyPlatforms{"command_line discord file ntfy pushover rest slack smtp telegram"};

using NotifyConfiguration = configured::Section<std::shared_ptr<const NotifyPlan>>;

// Items of other platforms are left to their readers.
NotifyConfiguration parse_notifiers(const automation::Sections& sections);

}  // namespace hearth::building_blocks
