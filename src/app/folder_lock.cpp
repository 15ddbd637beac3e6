// SPDX-License-Identifier: Apache-2.0
#include "app/folder_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "base/log/log.h"

namespace hearth::app {

// Locks the folder itself: an extra file would end up in backups, or be deleted by somebody.
base::Result<FolderLock> FolderLock::lock(const std::filesystem::path& folder) {
  FolderLock lock(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (lock.descriptor_ >= 0 && ::flock(lock.descriptor_, LOCK_EX | LOCK_NB) == 0) return lock;
  if (errno == EWOULDBLOCK) {
    return base::fail(base::ErrorCode::conflict,
                      fmt::format("Another hub runs with {} already; end it, or name another folder with --config.",
                                  folder.string()));
  }
  base::log_warning("hub", "{} cannot be locked against a second hub: {}", folder.string(),
                    std::generic_category().message(errno));
  return lock;
}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace hearth::app
