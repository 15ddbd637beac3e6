// SPDX-License-Identifier: Apache-2.0
#include "storage/file_copy.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace hearth::storage {
namespace {

using base::ErrorCode;

constexpr std::size_t kAtOnce = 8 << 20;
constexpr std::chrono::milliseconds kLockPause{20};
// The bytes that SQLite locks in its files (The SQLite Database File Format, "The Lock-Byte Page").
constexpr ::off_t kLockBytes = 0x40000000;
constexpr ::off_t kLockLength = 512;

class OpenFile {
 public:
  OpenFile(std::filesystem::path path, int flags)
      : path_(std::move(path)), number_(::open(path_.c_str(), flags | O_CLOEXEC, S_IRUSR | S_IWUSR)) {}
  ~OpenFile() {
    if (number_ >= 0) ::close(number_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  int number() const { return number_; }
  // Of the last call.
  std::unexpected<base::Error> failure(std::string_view verb) const {
    return base::fail(ErrorCode::unavailable, fmt::format("{} cannot be {}: {}.", path_.string(), verb,
                                                          std::generic_category().message(errno)));
  }

 private:
  std::filesystem::path path_;
  int number_;
};

// Keeps other processes out until the file is closed. A file system without locks has none to keep out.
base::Result<void> lock_out_others(const OpenFile& file) {
  const auto deadline = std::chrono::steady_clock::now() + Database::kBusyTimeout;
  for (;;) {
    struct flock lock{};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    lock.l_start = kLockBytes;
    lock.l_len = kLockLength;
    if (::fcntl(file.number(), F_SETLK, &lock) == 0 || (errno != EAGAIN && errno != EACCES)) return {};
    if (std::chrono::steady_clock::now() > deadline) return file.failure("locked; another program uses it");
    std::this_thread::sleep_for(kLockPause);
  }
}

// For file systems, or pairs of them, that copy_file_range does not know.
base::Result<void> copy_through_memory(const OpenFile& from, const OpenFile& to, const GoOn& go_on) {
  std::vector<char> buffer(kAtOnce / 8);
  for (;;) {
    const ::ssize_t got = ::read(from.number(), buffer.data(), buffer.size());
    if (got == 0) return {};
    if (got < 0) return from.failure("read");
    for (::ssize_t at = 0; at < got;) {
      const ::ssize_t put = ::write(to.number(), buffer.data() + at, static_cast<std::size_t>(got - at));
      if (put < 0) return to.failure("written");
      at += put;
    }
    if (!go_on()) return base::fail(ErrorCode::unavailable, "The copy was ended before it was done.");
  }
}

base::Result<void> copy_content(const OpenFile& from, const OpenFile& to, const GoOn& go_on) {
  for (bool first = true;; first = false) {
    const ::ssize_t copied = ::copy_file_range(from.number(), nullptr, to.number(), nullptr, kAtOnce, 0);
    if (copied == 0) return {};
    if (copied < 0) {
      if (first && (errno == EXDEV || errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP || errno == EPERM))
        return copy_through_memory(from, to, go_on);
      return to.failure("written");
    }
    if (!go_on()) return base::fail(ErrorCode::unavailable, "The copy was ended before it was done.");
  }
}

base::Result<void> check_room(const OpenFile& from, const std::filesystem::path& target) {
  struct stat found{};
  if (::fstat(from.number(), &found) != 0) return from.failure("read");
  std::error_code error;
  const auto space = std::filesystem::space(target.parent_path(), error);
  if (error)
    return base::fail(ErrorCode::unavailable, fmt::format("{}: {}.", target.parent_path().string(), error.message()));
  const auto needed = static_cast<std::uintmax_t>(found.st_size) + kSpareRoom;
  if (space.available >= needed) return {};
  constexpr std::uintmax_t kMebibyte = 1 << 20;
  return base::fail(ErrorCode::full, fmt::format("a copy of {} needs {} MiB, and {} has {}", target.filename().string(),
                                                 (needed + kMebibyte - 1) / kMebibyte, target.parent_path().string(),
                                                 space.available / kMebibyte));
}

}  // namespace

base::Result<void> empty_log(const std::filesystem::path& file) {
  auto database = Database::open(file, Durability::full);
  if (!database) return std::unexpected(std::move(database.error()));
  auto checkpoint = database->prepare("PRAGMA wal_checkpoint(TRUNCATE)");
  if (!checkpoint) return std::unexpected(std::move(checkpoint.error()));
  auto row = checkpoint->step();
  if (!row) return std::unexpected(std::move(row.error()));
  if (checkpoint->integer(0) == 0) return {};
  return base::fail(ErrorCode::unavailable, fmt::format("{} is in use by another program.", file.string()));
}

base::Result<void> copy_file(const std::filesystem::path& source, const std::filesystem::path& target,
                             const GoOn& go_on) {
  if (auto emptied = empty_log(source); !emptied) return emptied;
  std::filesystem::path partial = target;
  partial += ".partial";
  ::unlink(partial.c_str());
  const OpenFile from(source, O_RDWR);
  if (from.number() < 0) return from.failure("opened");
  if (auto locked = lock_out_others(from); !locked) return locked;
  // Somebody may have written between the two.
  std::error_code error;
  if (const auto size = std::filesystem::file_size(source.string() + "-wal", error); !error && size > 0)
    return base::fail(ErrorCode::unavailable, fmt::format("{} is in use by another program.", source.string()));
  base::Result<void> done;
  {
    const OpenFile to(partial, O_WRONLY | O_CREAT | O_EXCL);
    if (to.number() < 0) return to.failure("written");
    if (::ioctl(to.number(), FICLONE, from.number()) != 0) {
      done = check_room(from, target);
      if (done) done = copy_content(from, to, go_on);
    }
    if (done && ::fsync(to.number()) != 0) done = to.failure("written");
  }
  if (done && std::rename(partial.c_str(), target.c_str()) != 0)
    done = base::fail(ErrorCode::unavailable,
                      fmt::format("{} cannot be made: {}.", target.string(), std::generic_category().message(errno)));
  if (!done) ::unlink(partial.c_str());
  return done;
}

}  // namespace hearth::storage
