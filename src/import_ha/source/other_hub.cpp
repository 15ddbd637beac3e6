// SPDX-License-Identifier: Apache-2.0
#include "import_ha/source/other_hub.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

#include "import_ha/source/database_file.h"
#include "import_ha/source/needed_files.h"

namespace hearth::import_ha {
namespace {

constexpr std::string_view kLockFile = ".ha_run.lock";

enum class HubLock { none, free, held };

// A shared lock, given back at once: an exclusive one would need the right to write on some file systems.
HubLock try_lock(const std::filesystem::path& file) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (descriptor < 0) return HubLock::none;
  const int status = ::flock(descriptor, LOCK_SH | LOCK_NB);
  const int reason = errno;
  ::close(descriptor);
  if (status == 0) return HubLock::free;
  return reason == EWOULDBLOCK ? HubLock::held : HubLock::none;
}

}  // namespace

RunningSign find_running(const std::filesystem::path& folder) {
  const HubLock lock = try_lock(folder / kLockFile);
  if (lock == HubLock::held) return {true, fmt::format("{} is locked", kLockFile)};
  const std::filesystem::path database = folder / kHistoryFile;
  // Of a lock that is held on another machine this one may not know.
  const bool believed = lock == HubLock::free && !is_remote(folder);
  if (believed) return {false, fmt::format("{} is there, and not locked", kLockFile)};
  if (size_beside(database, "-wal") == 0) return {false, fmt::format("no {}-wal with content", kHistoryFile)};
  std::string text = fmt::format("{}-wal has content", kHistoryFile);
  if (!is_open_elsewhere(database)) text += "; no process of this machine has the database open";
  return {true, std::move(text)};
}

}  // namespace hearth::import_ha
