// SPDX-License-Identifier: Apache-2.0
#include "import_ha/source/contained_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace hearth::import_ha {
namespace {

using base::ErrorCode;
using base::Result;
namespace fs = std::filesystem;

constexpr std::uint64_t kMebibyteOfFile = 1 << 20;

}  // namespace

std::unexpected<base::Error> unreadable(std::string_view name, int reason) {
  if (reason == EACCES || reason == EPERM)
    return base::fail(
        ErrorCode::unavailable,
        fmt::format("{}: permission denied; run it as the user of Home Assistant, or use a backup.", name));
  return base::fail(ErrorCode::unavailable,
                    fmt::format("{} cannot be read: {}.", name, std::generic_category().message(reason)));
}

Result<ContainedFile> ContainedFile::open(const fs::path& file, std::string name) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (descriptor < 0) return unreadable(name, errno);
  ContainedFile opened(std::move(name), descriptor, 0);
  struct stat found;
  if (::fstat(descriptor, &found) != 0) return unreadable(opened.name_, errno);
  if (S_ISDIR(found.st_mode)) return unreadable(opened.name_, EISDIR);
  if (!S_ISREG(found.st_mode))
    return base::fail(ErrorCode::unavailable, fmt::format("{} is no regular file.", opened.name_));
  opened.size_ = static_cast<std::uint64_t>(found.st_size);
  return opened;
}

ContainedFile::~ContainedFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<std::size_t> ContainedFile::read_at(std::uint64_t offset, std::span<char> buffer) const {
  std::size_t size = 0;
  while (size < buffer.size()) {
    const ::ssize_t got =
        ::pread(descriptor_, buffer.data() + size, buffer.size() - size, static_cast<::off_t>(offset + size));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return unreadable(name_, errno);
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  return size;
}

Result<std::optional<fs::path>> locate_within(const fs::path& root, const fs::path& relative) {
  std::error_code error;
  fs::path place = fs::canonical(root / relative, error);
  if (error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory)
    return std::optional<fs::path>();
  if (error) return unreadable(relative.native(), error.value());
  if (std::ranges::mismatch(root, place).in1 == root.end()) return std::optional(std::move(place));
  return base::fail(ErrorCode::unavailable, fmt::format("{} leads out of {}; links are followed within it only.",
                                                        relative.native(), root.native()));
}

Result<std::string> read_whole(const fs::path& file, std::string name, std::uint64_t most) {
  const auto opened = ContainedFile::open(file, std::move(name));
  if (!opened) return std::unexpected(opened.error());
  if (opened->size() > most) {
    return base::fail(ErrorCode::unavailable,
                      fmt::format("{} has {} MiB; at most {} are read.", opened->name(),
                                  (opened->size() + kMebibyteOfFile - 1) / kMebibyteOfFile, most / kMebibyteOfFile));
  }
  std::string text(opened->size(), '\0');
  const auto size = opened->read_at(0, text);
  if (!size) return std::unexpected(size.error());
  text.resize(*size);
  return text;
}

std::string of_bytes(std::uint64_t part, std::uint64_t whole) {
  if (whole < kMebibyteOfFile) return fmt::format("{} of {} bytes", part, whole);
  return fmt::format("{} of {} MiB", part / kMebibyteOfFile, (whole + kMebibyteOfFile - 1) / kMebibyteOfFile);
}

}  // namespace hearth::import_ha
