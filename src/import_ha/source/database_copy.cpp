// SPDX-License-Identifier: Apache-2.0
#include "import_ha/source/database_copy.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <array>
#include <string_view>
#include <system_error>
#include <vector>

#include "backup/file.h"
#include "import_ha/source/contained_file.h"
#include "import_ha/source/database_file.h"
#include "storage/file_copy.h"

namespace hearth::import_ha {
namespace {

using base::ErrorCode;
using base::Result;
namespace fs = std::filesystem;

constexpr std::size_t kCopiedAtOnce = 1 << 20;
constexpr std::uint64_t kMebibyteOfCopy = 1 << 20;
// In this order: what the log gains while the file is copied belongs to the copy.
constexpr std::array<std::string_view, 3> kCopied{"", "-wal", "-journal"};

Result<void> copy_bytes(const ContainedFile& from, const fs::path& to, const storage::GoOn& go_on) {
  auto target = backup::File::create(to);
  if (!target) return std::unexpected(target.error());
  std::vector<char> buffer(kCopiedAtOnce);
  for (std::uint64_t at = 0;;) {
    if (!go_on()) return base::fail(ErrorCode::unavailable, "The copy was ended before it was done.");
    const auto size = from.read_at(at, buffer);
    if (!size) return std::unexpected(size.error());
    if (*size == 0) return {};
    if (auto written = target->write({buffer.data(), *size}); !written) return written;
    at += *size;
  }
}

Result<void> check_room(const fs::path& file, const std::string& name, const fs::path& folder) {
  std::uint64_t needed = storage::kSpareRoom;
  for (const std::string_view ending : kCopied) needed += size_beside(file, ending);
  std::error_code error;
  const auto space = fs::space(folder, error);
  if (error) return base::fail(ErrorCode::unavailable, fmt::format("{}: {}.", folder.native(), error.message()));
  if (space.available >= needed) return {};
  return base::fail(ErrorCode::full, fmt::format("A copy of {} needs {} MiB, and {} has {}.", name,
                                                 (needed + kMebibyteOfCopy - 1) / kMebibyteOfCopy, folder.native(),
                                                 space.available / kMebibyteOfCopy));
}

}  // namespace

Result<fs::path> copy_moment(const fs::path& file, const std::string& name, const fs::path& folder,
                             const storage::GoOn& go_on) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!error) fs::permissions(folder, fs::perms::owner_all, error);
  if (error)
    return base::fail(ErrorCode::unavailable, fmt::format("{} cannot be made: {}.", folder.native(), error.message()));
  const fs::path target = folder / file.filename();
  for (int tries = 0; tries < kCopyTries; ++tries) {
    for (const std::string_view ending : {"", "-wal", "-journal", "-shm"})
      fs::remove(target.native() + std::string(ending), error);
    if (auto room = check_room(file, name, folder); !room) return std::unexpected(room.error());
    const auto before = read_moment(file, name);
    if (!before) return std::unexpected(before.error());
    for (const std::string_view ending : kCopied) {
      if (!ending.empty() && size_beside(file, ending) == 0) continue;
      const auto from = ContainedFile::open(file.native() + std::string(ending), name + std::string(ending));
      if (!from && !ending.empty() && size_beside(file, ending) == 0) continue;  // it went just now; compared below
      if (!from) return std::unexpected(from.error());
      if (auto copied = copy_bytes(*from, target.native() + std::string(ending), go_on); !copied)
        return std::unexpected(copied.error());
    }
    const auto after = read_moment(file, name);
    if (!after) return std::unexpected(after.error());
    if (*before == *after) return target;
  }
  return base::fail(
      ErrorCode::unavailable,
      fmt::format("{} changed while it was copied, {} times. Stop Home Assistant, or use a backup.", name, kCopyTries));
}

}  // namespace hearth::import_ha
