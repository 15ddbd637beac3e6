// SPDX-License-Identifier: Apache-2.0
// The file configuration.yaml in the configuration folder, and its default text. One thread at a time.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

namespace hearth::app {

constexpr std::string_view kConfigurationFile = "configuration.yaml";
constexpr std::size_t kMaxFileSize = 4 << 20;  // bytes, of each file of the configuration

// Why a file cannot be read: unavailable if the machine lacks something for now, such as descriptors, or its disk
// fails; invalid if it is the file. `error` as in errno.
base::ErrorCode code_of_unreadable(int error);

// Fails with not_found if it does not exist, with invalid if it is not a file, may not be read or is too large, and
// with unavailable if the machine fails.
base::Result<std::string> read_text_file(const std::filesystem::path& path);
// Reads configuration.yaml likewise.
base::Result<std::string> read_configuration(const std::filesystem::path& folder);

// Every key with its default, commented out, and the demo home. See docs/configuration.md.
std::string_view default_configuration();

// Writes the default unless a file, or anything else, has that name. True if it wrote. Fails with unavailable.
base::Result<bool> write_default_configuration(const std::filesystem::path& folder);

}  // namespace hearth::app
