// SPDX-License-Identifier: Apache-2.0
#include "app/files/private_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace hearth::app {
namespace {

namespace fs = std::filesystem;

std::unexpected<base::Error> not_written(const fs::path& path) {
  return base::fail(base::ErrorCode::unavailable,
                    fmt::format("{} cannot be written: {}", path.native(), std::strerror(errno)));
}

bool write_whole(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t bytes = ::write(descriptor, text.data(), text.size());
    if (bytes < 0 && errno == EINTR) continue;
    if (bytes < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(bytes));
  }
  return ::fsync(descriptor) == 0;
}

// Otherwise a power cut may bring back what a file was renamed over.
bool keep_names(const fs::path& folder) {
  const int descriptor = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool kept = ::fsync(descriptor) == 0;
  const int why = errno;
  ::close(descriptor);
  errno = why;
  return kept;
}

}  // namespace

base::Result<void> make_private_folder(const fs::path& home, const fs::path& folder) {
  constexpr mode_t kOwnerOnly = 0700;
  fs::path made = home;
  for (const fs::path& part : folder.lexically_relative(home)) {
    made /= part;
    if (::mkdir(made.c_str(), kOwnerOnly) != 0 && errno != EEXIST) return not_written(made);
    struct stat status{};
    if (::lstat(made.c_str(), &status) != 0) return not_written(made);
    const bool differs = S_ISDIR(status.st_mode) && (status.st_mode & 07777) != kOwnerOnly;
    if (differs && ::chmod(made.c_str(), kOwnerOnly) != 0) return not_written(made);
  }
  return {};
}

base::Result<void> write_private_file(const fs::path& file, std::string_view text, unsigned mode) {
  const std::string made = file.native() + ".tmp";
  const int descriptor = ::open(made.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (descriptor < 0) return not_written(file);
  const bool written = ::fchmod(descriptor, mode) == 0 && write_whole(descriptor, text);
  const int why = errno;
  ::close(descriptor);
  errno = why;
  if (written && ::rename(made.c_str(), file.c_str()) == 0) {
    if (keep_names(file.parent_path())) return {};
    return not_written(file);
  }
  auto failed = not_written(file);
  ::unlink(made.c_str());
  return failed;
}

}  // namespace hearth::app
