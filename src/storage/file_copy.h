// SPDX-License-Identifier: Apache-2.0
// Copies the whole file of a database that this process does not use: quicker than page by page, and without room where
// the file system lets two files share their blocks.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "storage/database.h"

namespace hearth::storage {

constexpr std::uintmax_t kSpareRoom = 32 << 20;  // bytes of the disk that a copy leaves free

// Moves the write-ahead log into the file. Fails with unavailable if it cannot be opened, or another process reads it
// for longer than kBusyTimeout.
base::Result<void> empty_log(const std::filesystem::path& file);

// Makes `target`, readable by its owner alone, or replaces it; it is on the disk when this returns. It appears whole:
// until then it has the name `<target>.partial`. No connection of this process may be open: closing the file releases
// the locks of all of them. Other processes wait, or fail as if the file was locked.
//
// Btrfs, XFS and others share the blocks: that takes a moment, and room only for what changes later. Otherwise it takes
// the room of the file, and as long as to write it. Fails with full, before anything is written, if there is no room;
// with unavailable if it cannot be read or written, or if `go_on`, called after each 8 MiB, is false.
base::Result<void> copy_file(const std::filesystem::path& source, const std::filesystem::path& target,
                             const GoOn& go_on);

}  // namespace hearth::storage
