// SPDX-License-Identifier: Apache-2.0
// `sensor: - platform: file`, the last line of a file. Any thread.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "building_blocks/polled/plan_reader.h"

namespace hearth::building_blocks {

constexpr std::string_view kFile = "file";
constexpr std::size_t kMaxLine = 64 * 1024;  // bytes

void read_file_sensors(const automation::Sections& sections, PlanReader& reader);

// The last line of the file that is not blank; empty if there is none. Fails with unavailable if it cannot be read, is
// no file (but a folder, a pipe, a device), or the line is longer than kMaxLine. Never waits for a writer.
base::Result<std::string> last_line(const std::filesystem::path& path);

}  // namespace hearth::building_blocks
