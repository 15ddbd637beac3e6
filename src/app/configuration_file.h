// SPDX-License-Identifier: Apache-2.0
// The file configuration.yaml in the configuration folder: its text, and the one it starts with. One thread at a time.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

namespace hearth::app {

constexpr std::string_view kConfigurationFile = "configuration.yaml";
constexpr std::size_t kMaxConfigurationSize = 1 << 20;  // bytes

// Fails with not_found if there is no file, with invalid if it is no file, cannot be read or is too large.
base::Result<std::string> read_text_file(const std::filesystem::path& path);
// The configuration's, as above.
base::Result<std::string> read_configuration(const std::filesystem::path& folder);

// Every key with its default, commented out, and the demo home. See docs/configuration.md.
std::string_view default_configuration();

// Writes the default unless there is a file, or anything else by that name, already. True where it wrote. Fails with
// unavailable.
base::Result<bool> write_default_configuration(const std::filesystem::path& folder);

}  // namespace hearth::app
