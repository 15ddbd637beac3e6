// SPDX-License-Identifier: Apache-2.0
#include "import_ha/source/fingerprint.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <map>
#include <optional>
#include <system_error>

#include "base/digest.h"
#include "import_ha/source/contained_file.h"
#include "import_ha/source/database_file.h"
#include "import_ha/source/needed_files.h"

namespace hearth::import_ha {
namespace {

using base::Result;
namespace fs = std::filesystem;

// Null if it went, or is no regular file.
Result<std::optional<std::string>> line_of(const fs::path& file, const std::string& name) {
  struct stat found;
  if (::stat(file.c_str(), &found) != 0) {
    if (errno == ENOENT || errno == ENOTDIR || errno == ELOOP) return std::optional<std::string>();
    return unreadable(name, errno);
  }
  if (!S_ISREG(found.st_mode)) return std::optional<std::string>();
  if (::faccessat(AT_FDCWD, file.c_str(), R_OK, AT_EACCESS) != 0) return unreadable(name, errno);
  return std::optional(fmt::format("{} {} {} {}.{:09}\n", name, found.st_dev, found.st_size, found.st_mtim.tv_sec,
                                   found.st_mtim.tv_nsec));
}

// Adds the lines of the files below `relative` by their path.
Result<void> add_lines(const fs::path& folder, const std::string& relative, std::map<std::string, std::string>& lines) {
  std::error_code error;
  for (fs::directory_iterator at(folder / relative, error), end; !error && at != end; at.increment(error)) {
    const std::string name = (relative.empty() ? "" : relative + "/") + at->path().filename().native();
    std::error_code gone;
    // Links to folders are not gone into: they may lead round in a circle.
    if (at->symlink_status(gone).type() == fs::file_type::directory) {
      if (!may_hold_needed(name)) continue;
      if (auto added = add_lines(folder, name, lines); !added) return added;
    } else if (need_of(name) == Need::file) {
      auto line = line_of(folder / name, name);
      if (!line) return std::unexpected(line.error());
      if (*line) lines[name] = std::move(**line);
    }
  }
  if (error && error != std::errc::no_such_file_or_directory)
    return unreadable(relative.empty() ? folder.native() : relative, error.value());
  return {};
}

}  // namespace

Result<std::string> fingerprint_of_files(const fs::path& folder) {
  std::map<std::string, std::string> lines;
  if (auto added = add_lines(folder, "", lines); !added) return std::unexpected(added.error());
  base::Digest digest;
  for (const auto& [name, line] : lines) digest.add(line);
  return digest.hex();
}

Result<std::string> fingerprint_of_file(const fs::path& file, const std::string& name) {
  const auto line = line_of(file, name);
  if (!line) return std::unexpected(line.error());
  return base::sha256_hex(line->value_or(""));
}

Result<std::string> fingerprint_of_database(const fs::path& file, const std::string& name) {
  const auto header = read_database_header(file, name);
  if (!header) {
    if (header.error().code == base::ErrorCode::invalid) return std::string();
    return std::unexpected(header.error());
  }
  const auto moment = read_moment(file, name);
  if (!moment) return std::unexpected(moment.error());
  // With a write-ahead log the counter stays when rows change.
  const auto line = line_of(file, name);
  if (!line) return std::unexpected(line.error());
  return fmt::format("{} {} {} {:02x}", header->changes, header->pages, line->value_or(""),
                     fmt::join(moment->salts, ""));
}

}  // namespace hearth::import_ha
