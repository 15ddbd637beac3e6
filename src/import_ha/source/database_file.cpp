// SPDX-License-Identifier: Apache-2.0
#include "import_ha/source/database_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>
#include <span>

#include "import_ha/source/contained_file.h"

namespace hearth::import_ha {
namespace {

using base::ErrorCode;
using base::Result;
namespace fs = std::filesystem;

constexpr std::string_view kSqliteMagic("SQLite format 3\0", 16);
constexpr std::size_t kHeaderSize = 100, kLogHeaderSize = 32, kFrameHeaderSize = 24;
// The byte of the `-shm` file that each open connection holds a shared lock on.
constexpr ::off_t kByteOfConnections = 128;
// Not in linux/magic.h of every system.
constexpr unsigned long kCifs = 0xFF534D42, kSmb2 = 0xFE534D42, kFuse = 0x65735546, kNineP = 0x01021997;

std::uint32_t sqlite_number(std::span<const char> bytes, std::size_t at) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < 4; ++i) number = number << 8 | static_cast<unsigned char>(bytes[at + i]);
  return number;
}

fs::path file_beside(const fs::path& file, std::string_view ending) {
  return file.native() + std::string(ending);
}

// The log's header; null without a log.
using LogHeader = std::array<char, kLogHeaderSize>;
Result<std::optional<LogHeader>> read_log_header(const fs::path& file, const std::string& name) {
  if (size_beside(file, "-wal") < kLogHeaderSize) return std::optional<LogHeader>();
  const auto log = ContainedFile::open(file_beside(file, "-wal"), name + "-wal");
  if (!log) return std::unexpected(log.error());
  LogHeader header;
  const auto size = log->read_at(0, header);
  if (!size) return std::unexpected(size.error());
  if (*size < header.size()) return std::optional<LogHeader>();  // it became shorter
  return std::optional(header);
}

// The pages that the log holds beyond the end of the file, and how many pages the database has after its last commit.
struct LoggedPages {
  std::set<std::uint32_t> beyond;
  std::uint32_t pages = 0;  // 0: the log has no commit
};
Result<LoggedPages> read_logged_pages(const fs::path& file, const std::string& name, const LogHeader& header,
                                      std::uint64_t page_size, std::uint64_t pages_in_file) {
  LoggedPages logged;
  const auto log = ContainedFile::open(file_beside(file, "-wal"), name + "-wal");
  if (!log) return std::unexpected(log.error());
  std::array<char, kFrameHeaderSize> frame;
  for (std::uint64_t at = kLogHeaderSize;; at += kFrameHeaderSize + page_size) {
    const auto size = log->read_at(at, frame);
    if (!size) return std::unexpected(size.error());
    // Frames of an earlier round have other salts.
    if (*size < frame.size() || std::memcmp(frame.data() + 8, header.data() + 16, 8) != 0) return logged;
    if (sqlite_number(frame, 0) > pages_in_file) logged.beyond.insert(sqlite_number(frame, 0));
    if (const std::uint32_t pages = sqlite_number(frame, 4); pages != 0) logged.pages = pages;
  }
}

}  // namespace

Result<DatabaseHeader> read_database_header(const fs::path& file, const std::string& name) {
  const auto opened = ContainedFile::open(file, name);
  if (!opened) return std::unexpected(opened.error());
  if (opened->size() == 0) return base::fail(ErrorCode::invalid, fmt::format("{} is empty (0 bytes).", name));
  std::array<char, kHeaderSize> bytes;
  const auto size = opened->read_at(0, bytes);
  if (!size) return std::unexpected(size.error());
  if (*size < bytes.size() || std::string_view(bytes.data(), kSqliteMagic.size()) != kSqliteMagic)
    return base::fail(ErrorCode::invalid, fmt::format("{} is no SQLite database, or it is encrypted.", name));
  DatabaseHeader header;
  header.file_size = opened->size();
  header.page_size = sqlite_number(bytes, 16) >> 16;
  if (header.page_size == 1) header.page_size = 65'536;
  if (header.page_size < 512 || (header.page_size & (header.page_size - 1)) != 0)
    return base::fail(ErrorCode::invalid, fmt::format("{} is no SQLite database: its pages have no size.", name));
  header.changes = sqlite_number(bytes, 24);
  // Old versions of SQLite did not write the number of pages; then it is of another change.
  if (header.changes == sqlite_number(bytes, 92)) header.pages = sqlite_number(bytes, 28);
  return header;
}

Result<DatabaseMoment> read_moment(const fs::path& file, const std::string& name) {
  const auto header = read_database_header(file, name);
  if (!header) return std::unexpected(header.error());
  const auto log = read_log_header(file, name);
  if (!log) return std::unexpected(log.error());
  DatabaseMoment moment{header->changes, header->pages, {}};
  if (*log) std::memcpy(moment.salts.data(), (*log)->data() + 16, moment.salts.size());
  return moment;
}

std::uint64_t size_beside(const fs::path& file, std::string_view ending) {
  std::error_code none;
  const auto size = fs::file_size(file_beside(file, ending), none);
  return none ? 0 : size;
}

Result<void> check_complete(const fs::path& file, const std::string& name) {
  const auto header = read_database_header(file, name);
  if (!header) return std::unexpected(header.error());
  const std::uint64_t pages_in_file = header->file_size / header->page_size;
  std::uint64_t pages = header->pages;
  LoggedPages logged;
  const auto log = read_log_header(file, name);
  if (!log) return std::unexpected(log.error());
  if (*log) {
    auto found = read_logged_pages(file, name, **log, header->page_size, pages_in_file);
    if (!found) return std::unexpected(found.error());
    logged = std::move(*found);
    if (logged.pages != 0) pages = logged.pages;
  }
  if (pages <= pages_in_file) return {};
  const auto in_log = static_cast<std::uint64_t>(
      std::ranges::count_if(logged.beyond, [&](std::uint32_t page) { return page <= pages; }));
  if (pages_in_file + in_log >= pages) return {};
  return base::fail(ErrorCode::unavailable, fmt::format("{}: the copy is incomplete: {}.", name,
                                                        of_bytes(header->file_size, pages * header->page_size)));
}

bool is_open_elsewhere(const fs::path& file) {
  const int descriptor = ::open(file_beside(file, "-shm").c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (descriptor < 0) return false;
  struct flock lock{};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = kByteOfConnections;
  lock.l_len = 1;
  const bool known = ::fcntl(descriptor, F_GETLK, &lock) == 0;
  ::close(descriptor);
  return known && lock.l_type != F_UNLCK;
}

bool is_remote(const fs::path& file) {
  struct statfs found;
  if (::statfs(file.c_str(), &found) != 0) return false;
  const auto type = static_cast<unsigned long>(found.f_type) & 0xFFFFFFFFUL;
  return type == NFS_SUPER_MAGIC || type == kCifs || type == kSmb2 || type == kFuse || type == kNineP;
}

}  // namespace hearth::import_ha
