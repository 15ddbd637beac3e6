// SPDX-License-Identifier: Apache-2.0
// Repairs a damaged database: moves it aside under another name and copies what can be read, tables with rows and
// indexes, into a new file in its place. `migrate` completes the schema. Nobody else may have the file open.
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
  std::string damage;               // why it was damaged
  std::filesystem::path set_aside;  // where the damaged file is now
  std::size_t rows = 0;             // rows read from it
  std::size_t gaps = 0;             // places that could not be read
};

// The damage of the file; null if it is sound or absent. A quick look reads files above 16 MiB only in part:
// damage elsewhere shows when it is read, or by looking at the whole file.
enum class Depth { quick, whole };
base::Result<std::optional<std::string>> find_damage(const std::filesystem::path& file, Depth depth = Depth::quick);

// Fails with unavailable if the file cannot be moved or a new one cannot be written.
base::Result<Repair> repair(const std::filesystem::path& file, std::string damage);

// Both; null if nothing was wrong. Logs what it did.
base::Result<std::optional<Repair>> repair_if_damaged(const std::filesystem::path& file, Depth depth = Depth::quick);

}  // namespace hearth::storage
