// SPDX-License-Identifier: Apache-2.0
// Parts that readers of several platforms of `notify:` share. What is wrong is noted in the reader. Any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/config/config_reader.h"
#include "building_blocks/notify/notify_plan.h"
#include "building_blocks/notify/presets.h"

namespace hearth::building_blocks {

// A text that must be there.
std::string needed_text(base::ConfigReader& in, std::string_view key);
// An address that must be there unless there is one already; it cannot be a template.
void read_address(base::ConfigReader& in, std::string_view key, std::string& address);
// An object whose texts may be templates.
void read_fields(base::ConfigReader& in, std::string_view key, HttpNotice& notice);

// The platforms. Each reads all keys but `platform` and `name`, and adds texts that no line of the log may have to
// `secrets`.
HttpNotice read_rest(base::ConfigReader& in, std::vector<std::string>& secrets);
FileNotice read_file(base::ConfigReader& in);
HttpNotice read_preset(base::ConfigReader& in, const Preset& preset, std::vector<std::string>& secrets);
MailNotice read_smtp(base::ConfigReader& in, std::vector<std::string>& secrets);
CommandNotice read_command_line(base::ConfigReader& in);

}  // namespace hearth::building_blocks
