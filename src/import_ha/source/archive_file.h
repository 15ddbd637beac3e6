// SPDX-License-Identifier: Apache-2.0
// Bytes of an archive of the old hub: the file itself, or a file in a tar archive. One thread at a time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "backup/byte_stream.h"
#include "backup/tar_reader.h"
#include "import_ha/source/contained_file.h"
#include "storage/database.h"

namespace hearth::import_ha {

// Skips without reading. Fails with unavailable if `go_on` is false.
class ArchiveFile final : public backup::ByteSource {
 public:
  ArchiveFile(ContainedFile file, storage::GoOn go_on)
      : file_(std::move(file)), go_on_(std::move(go_on)), buffer_(kAtOnce, '\0') {}
  base::Result<std::string_view> next() override {
    if (!go_on_()) return base::fail(base::ErrorCode::unavailable, "the import was cancelled");
    const auto size = file_.read_at(at_, buffer_);
    if (!size) return std::unexpected(size.error());
    at_ += *size;
    return std::string_view(buffer_.data(), *size);
  }
  std::uint64_t skip(std::uint64_t bytes) override {
    const std::uint64_t skipped = std::min(bytes, file_.size() - std::min(at_, file_.size()));
    at_ += skipped;
    return skipped;
  }
  std::uint64_t size() const { return file_.size(); }

 private:
  static constexpr std::size_t kAtOnce = 256 * 1024;

  ContainedFile file_;
  storage::GoOn go_on_;
  std::uint64_t at_ = 0;
  std::string buffer_;
};

// The file of a tar archive that its reader has come to; the reader must outlive it.
class ArchiveEntry final : public backup::ByteSource {
 public:
  explicit ArchiveEntry(backup::TarReader& reader) : reader_(reader), buffer_(kAtOnce, '\0') {}
  base::Result<std::string_view> next() override {
    const auto size = reader_.read(buffer_);
    if (!size) return std::unexpected(size.error());
    return std::string_view(buffer_.data(), *size);
  }

 private:
  static constexpr std::size_t kAtOnce = 256 * 1024;

  backup::TarReader& reader_;
  std::string buffer_;
};

}  // namespace hearth::import_ha
