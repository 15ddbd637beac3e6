// SPDX-License-Identifier: Apache-2.0
// Creates files and folders that only their owner can read, whatever the umask is. Any thread.
#pragma once

#include <filesystem>
#include <string_view>

#include "base/result.h"

namespace hearth::app {

// Makes the folder, and those between `home` and it, with mode 0700; those that are there get that mode, too. `folder`
// is within `home`, which stays as it is. Fails with unavailable.
base::Result<void> make_private_folder(const std::filesystem::path& home, const std::filesystem::path& folder);

// Puts the text in place of the file, as a whole and on the disk, with that mode. Fails with unavailable; then the
// former file is there.
base::Result<void> write_private_file(const std::filesystem::path& file, std::string_view text, unsigned mode = 0600);

}  // namespace hearth::app
