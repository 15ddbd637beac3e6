// SPDX-License-Identifier: Apache-2.0
// Files of the old home, only read. Links are followed within its folder only.
//
// Any thread. Fails with unavailable; messages begin with the name by which people know the file.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace hearth::import_ha {

// The words for a file that cannot be read; `reason` is an errno.
std::unexpected<base::Error> unreadable(std::string_view name, int reason);

// A regular file. Never one of a database that this process has open: closing it would release SQLite's locks.
class ContainedFile {
 public:
  static base::Result<ContainedFile> open(const std::filesystem::path& file, std::string name);
  ContainedFile(ContainedFile&& other) noexcept
      : name_(std::move(other.name_)), descriptor_(std::exchange(other.descriptor_, -1)), size_(other.size_) {}
  ContainedFile& operator=(ContainedFile&&) = delete;
  ~ContainedFile();

  // Bytes, when it was opened.
  std::uint64_t size() const { return size_; }
  const std::string& name() const { return name_; }
  // Less than the buffer only at the end of the file.
  base::Result<std::size_t> read_at(std::uint64_t offset, std::span<char> buffer) const;

 private:
  ContainedFile(std::string name, int descriptor, std::uint64_t size)
      : name_(std::move(name)), descriptor_(descriptor), size_(size) {}

  std::string name_;
  int descriptor_;
  std::uint64_t size_;
};

// Where a file or folder lies, links followed; `root` is canonical. Null if there is none.
base::Result<std::optional<std::filesystem::path>> locate_within(const std::filesystem::path& root,
                                                                 const std::filesystem::path& relative);
// The whole file, at most so many bytes.
base::Result<std::string> read_whole(const std::filesystem::path& file, std::string name, std::uint64_t most);

// For messages: "620 of 745 MiB", or in bytes if the whole is less than a MiB.
std::string of_bytes(std::uint64_t part, std::uint64_t whole);

}  // namespace hearth::import_ha
