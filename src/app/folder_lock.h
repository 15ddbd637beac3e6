// SPDX-License-Identifier: Apache-2.0
// One hub for each home: two that write into one folder would each take the other's changes for its own.
#pragma once

#include <filesystem>
#include <utility>

#include "base/result.h"

namespace hearth::app {

class FolderLock {
 public:
  // Until it is destroyed, or the process ends in whatever way. Fails with conflict where another process has it; where
  // the file system knows no locks, it is logged, and the hub runs without.
  static base::Result<FolderLock> take(const std::filesystem::path& folder);

  FolderLock(FolderLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  FolderLock& operator=(FolderLock&&) = delete;
  ~FolderLock();

 private:
  explicit FolderLock(int descriptor) : descriptor_(descriptor) {}

  int descriptor_;
};

}  // namespace hearth::app
