// SPDX-License-Identifier: Apache-2.0
// An open file. Never one of the running hub's databases: closing it would release SQLite's locks on it.
//
// One thread at a time. Failures are unavailable, and name the file.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <ctime>
#include <filesystem>
#include <span>
#include <utility>

#include "backup/byte_stream.h"

namespace hearth::backup {

constexpr std::size_t kReadAtOnce = 64 * 1024;
constexpr std::uint64_t kSpareRoom = 16 << 20;  // bytes of the disk that are left to others

class File {
 public:
  static base::Result<File> open(const std::filesystem::path& path);
  // A new one, readable and writable by its owner alone.
  static base::Result<File> create(const std::filesystem::path& path);

  File(File&& other) noexcept : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}
  File& operator=(File&&) = delete;
  ~File();

  struct Status {
    std::uint64_t bytes;
    ::mode_t mode;
    std::time_t modified;
  };
  base::Result<Status> status() const;
  // Less than fits only at the end, where it is 0.
  base::Result<std::size_t> read(std::span<char> buffer);
  // The same from a place; any thread.
  base::Result<std::size_t> read_at(std::uint64_t offset, std::span<char> buffer) const;
  base::Result<void> write(std::string_view bytes);
  base::Result<void> sync();
  base::Result<void> set(::mode_t mode, std::time_t modified);
  const std::filesystem::path& path() const { return path_; }

 private:
  File(std::filesystem::path path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}
  std::unexpected<base::Error> failure(std::string_view what) const;

  std::filesystem::path path_;
  int descriptor_;
};

// Puts what was made, renamed or removed in the folder on the disk.
base::Result<void> sync_folder(const std::filesystem::path& folder);
// Waits until all that was written to the file system of this folder is on the disk.
base::Result<void> sync_file_system(const std::filesystem::path& folder);

class FileSink final : public ByteSink {
 public:
  explicit FileSink(File file) : file_(std::move(file)) {}
  base::Result<void> write(std::string_view bytes) override;
  // On the disk when it returns.
  base::Result<void> finish() override { return file_.sync(); }
  std::uint64_t bytes() const { return bytes_; }

 private:
  File file_;
  std::uint64_t bytes_ = 0;
};

class FileSource final : public ByteSource {
 public:
  explicit FileSource(File file);
  base::Result<std::string_view> next() override;

 private:
  File file_;
  std::string buffer_;
};

}  // namespace hearth::backup
