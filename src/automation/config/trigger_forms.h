// SPDX-License-Identifier: Apache-2.0
// Reads the keys of the triggers that come from outside of the home's states and clocks: those that each platform has
// besides the keys of all triggers. Errors are noted in the reader. Any thread.
#pragma once

#include "automation/config/parsing.h"

namespace hearth::automation::trigger_forms {

void parse_mqtt(ConfigReader& in, const ConfigNode& node, Trigger& trigger);
void parse_webhook(ConfigReader& in, const ConfigNode& node, Trigger& trigger);
void parse_tag(ConfigReader& in, const ConfigNode& node, Trigger& trigger);
void parse_zone(ConfigReader& in, const ConfigNode& node, Trigger& trigger);
void parse_notification(ConfigReader& in, const ConfigNode& node, Trigger& trigger);
void parse_calendar(ConfigReader& in, const ConfigNode& node, Trigger& trigger);
void parse_conversation(ConfigReader& in, const ConfigNode& node, Trigger& trigger);
void parse_device(ConfigReader& in, const ConfigNode& node, Trigger& trigger);

}  // namespace hearth::automation::trigger_forms
