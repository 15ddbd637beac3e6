// SPDX-License-Identifier: Apache-2.0
// An open file. Never one of the running hub's databases, because closing it would release SQLite's locks.
//
// One thread at a time. Fails with unavailable; the message names the file.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <ctime>
#include <filesystem>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

#include "backup/byte_stream.h"

namespace hearth::backup {

constexpr std::size_t kReadAtOnce = 64 * 1024;
constexpr std::uint64_t kSpareRoom = 16 << 20;  // bytes of the disk left for others

class File {
 public:
  static base::Result<File> open(const std::filesystem::path& path);
  // A new file, readable and writable by its owner only.
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
  // Less than the buffer only at the end, and 0 after it.
  base::Result<std::size_t> read(std::span<char> buffer);
  // The same from an offset; any thread.
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

// The error of an operation on a path: unavailable, "… cannot be removed: …".
std::unexpected<base::Error> folder_failure(const std::filesystem::path& path, std::string_view what,
                                            const std::error_code& error);
// A folder for its owner alone, unless it is there. Fails with unavailable.
base::Result<void> make_private_folder(const std::filesystem::path& path);
// A file, or a folder with all that is in it; no effect if it is absent. Fails with unavailable.
base::Result<void> remove_whole(const std::filesystem::path& path);
// Syncs to disk which files the folder has.
base::Result<void> sync_folder(const std::filesystem::path& folder);
// Waits until everything written to this folder's file system is on the disk.
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
