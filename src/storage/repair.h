// SPDX-License-Identifier: Apache-2.0
// What happens to a damaged database: it is set aside under another name, and what can be read of it goes into a new
// file in its place: tables with their rows, and indexes. `migrate` completes what else there should be. Nobody else
// may have the file open.
//
// One thread at a time for each file.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

#include "base/result.h"

namespace hearth::storage {

struct Repair {
  std::string damage;               // what was wrong
  std::filesystem::path set_aside;  // where the damaged file is now
  std::size_t rows = 0;             // read from it
  std::size_t gaps = 0;             // places where something could not be read
};

// What is wrong with the file; nothing where it is sound, or not there. Files above 16 MiB are not read to their end:
// what is wrong there shows when it is read, or to a look at the whole.
enum class Look { quick, whole };
base::Result<std::optional<std::string>> find_damage(const std::filesystem::path& file, Look look = Look::quick);

// Fails with unavailable where the file cannot be moved or a new one cannot be written.
base::Result<Repair> repair(const std::filesystem::path& file, std::string damage);

// Both: nothing where nothing was wrong. Says in the log what it did.
base::Result<std::optional<Repair>> repair_if_damaged(const std::filesystem::path& file, Look look = Look::quick);

}  // namespace hearth::storage
