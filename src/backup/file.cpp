// SPDX-License-Identifier: Apache-2.0
#include "backup/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace hearth::backup {
namespace {

constexpr std::size_t kReadAhead = 128 * 1024;

std::unexpected<base::Error> failed(const std::filesystem::path& path, std::string_view what, int reason) {
  return base::fail(base::ErrorCode::unavailable,
                    fmt::format("{} cannot be {}: {}.", path.string(), what, std::generic_category().message(reason)));
}

base::Result<void> sync_by(int (*sync)(int), const std::filesystem::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return failed(folder, "read", errno);
  const int reason = sync(descriptor) == 0 ? 0 : errno;
  ::close(descriptor);
  if (reason != 0 && reason != EINVAL) return failed(folder, "written", reason);  // not every file system can
  return {};
}

}  // namespace

base::Result<File> File::open(const std::filesystem::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (descriptor < 0) return failed(path, "read", errno);
  File file(path, descriptor);
  struct stat found;
  if (::fstat(descriptor, &found) != 0) return failed(path, "read", errno);
  if (S_ISDIR(found.st_mode)) return failed(path, "read", EISDIR);
  if (!S_ISREG(found.st_mode)) return failed(path, "read", EINVAL);
  return file;
}

base::Result<File> File::create(const std::filesystem::path& path) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (descriptor < 0) return failed(path, "written", errno);
  return File(path, descriptor);
}

File::~File() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::unexpected<base::Error> File::failure(std::string_view what) const {
  return failed(path_, what, errno);
}

base::Result<File::Status> File::status() const {
  struct stat found;
  if (::fstat(descriptor_, &found) != 0) return failure("read");
  return Status{static_cast<std::uint64_t>(found.st_size), found.st_mode & 0777U, found.st_mtim.tv_sec};
}

base::Result<std::size_t> File::read(std::span<char> buffer) {
  std::size_t size = 0;
  while (size < buffer.size()) {
    const ::ssize_t got = ::read(descriptor_, buffer.data() + size, buffer.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return failure("read");
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  return size;
}

base::Result<std::size_t> File::read_at(std::uint64_t offset, std::span<char> buffer) const {
  std::size_t size = 0;
  while (size < buffer.size()) {
    const ::ssize_t got =
        ::pread(descriptor_, buffer.data() + size, buffer.size() - size, static_cast<::off_t>(offset + size));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return failure("read");
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  return size;
}

base::Result<void> File::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ::ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return failure("written");
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

base::Result<void> File::sync() {
  if (::fsync(descriptor_) != 0) return failure("written");
  return {};
}

base::Result<void> File::set(::mode_t mode, std::time_t modified) {
  const timespec times[] = {{modified, 0}, {modified, 0}};
  if (::fchmod(descriptor_, mode & 0777U) != 0 || ::futimens(descriptor_, times) != 0) return failure("written");
  return {};
}

base::Result<void> sync_folder(const std::filesystem::path& folder) {
  return sync_by(::fsync, folder);
}

base::Result<void> sync_file_system(const std::filesystem::path& folder) {
  return sync_by(::syncfs, folder);
}

base::Result<void> FileSink::write(std::string_view bytes) {
  bytes_ += bytes.size();
  return file_.write(bytes);
}

FileSource::FileSource(File file) : file_(std::move(file)), buffer_(kReadAhead, '\0') {}

base::Result<std::string_view> FileSource::next() {
  const auto size = file_.read(buffer_);
  if (!size) return std::unexpected(size.error());
  return std::string_view(buffer_.data(), *size);
}

std::unexpected<base::Error> folder_failure(const std::filesystem::path& path, std::string_view what,
                                            const std::error_code& error) {
  return base::fail(base::ErrorCode::unavailable,
                    fmt::format("{} cannot be {}: {}.", path.string(), what, error.message()));
}

base::Result<void> make_private_folder(const std::filesystem::path& path) {
  if (::mkdir(path.c_str(), 0700) == 0 || errno == EEXIST) return {};
  return folder_failure(path, "made", {errno, std::generic_category()});
}

base::Result<void> remove_whole(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::remove_all(path, error);
  if (error) return folder_failure(path, "removed", error);
  return {};
}

}  // namespace hearth::backup
