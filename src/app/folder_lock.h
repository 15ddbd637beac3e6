// SPDX-License-Identifier: Apache-2.0
// Allows one hub for each home: two hubs that write to one folder would overwrite each other's changes.
#pragma once

#include <filesystem>
#include <utility>

#include "base/result.h"

namespace hearth::app {

class FolderLock {
 public:
  // Held until it is destroyed, or the process ends in any way. Fails with conflict if another process holds it. If the
  // file system has no locks, this is logged, and the hub runs without.
  static base::Result<FolderLock> lock(const std::filesystem::path& folder);

  FolderLock(FolderLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  FolderLock& operator=(FolderLock&&) = delete;
  ~FolderLock();

 private:
  explicit FolderLock(int descriptor) : descriptor_(descriptor) {}

  int descriptor_;
};

}  // namespace hearth::app
