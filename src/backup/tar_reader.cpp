// SPDX-License-Identifier: Apache-2.0
#include "backup/tar_reader.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <string>

#include "base/log/guarded.h"

namespace hearth::backup {
namespace {

using base::ErrorCode;
using base::Result;

TarKind kind_of(archive_entry* entry) {
  if (archive_entry_hardlink(entry)) return TarKind::link;
  switch (archive_entry_filetype(entry)) {
    case AE_IFREG:
      return TarKind::file;
    case AE_IFDIR:
      return TarKind::folder;
    case AE_IFLNK:
      return TarKind::link;
    default:
      return TarKind::other;
  }
}

}  // namespace

// The input that the library reads, with the error it had: the library's own messages say less.
struct TarReader::Origin {
  ByteSource& source;
  std::optional<base::Error> failure;

  static la_ssize_t read(archive* reader, void* self, const void** bytes) {
    auto& origin = *static_cast<Origin*>(self);
    la_ssize_t size = -1;
    base::run_guarded("backup", "reading a backup", [&] {
      const auto piece = origin.source.next();
      if (!piece) {
        origin.failure = piece.error();
        return;
      }
      *bytes = piece->data();
      size = static_cast<la_ssize_t>(piece->size());
    });
    if (size < 0) archive_set_error(reader, EIO, "failed");
    return size;
  }
  static la_int64_t skip(archive*, void* self, la_int64_t bytes) {
    return static_cast<la_int64_t>(static_cast<Origin*>(self)->source.skip(static_cast<std::uint64_t>(bytes)));
  }
};

void TarReader::Free::operator()(archive* reader) const {
  archive_read_free(reader);
}

TarReader::TarReader(ByteSource& in) : origin_(new Origin{in, {}}), reader_(archive_read_new()) {}
TarReader::TarReader(TarReader&&) noexcept = default;
TarReader::~TarReader() = default;

std::unexpected<base::Error> TarReader::failure() {
  if (origin_->failure) return std::unexpected(*origin_->failure);
  const char* const reason = archive_error_string(reader_.get());
  return base::fail(ErrorCode::invalid, fmt::format("it is damaged ({})", reason ? reason : "no tar archive"));
}

Result<TarReader> TarReader::create(ByteSource& in) {
  TarReader reader(in);
  archive* const made = reader.reader_.get();
  for (const int status :
       {archive_read_support_format_tar(made),
        archive_read_open2(made, reader.origin_.get(), nullptr, Origin::read, Origin::skip, nullptr)}) {
    if (status != ARCHIVE_OK) return reader.failure();
  }
  return reader;
}

Result<std::optional<TarEntry>> TarReader::next() {
  auto entry = next_of_any_kind();
  if (entry && *entry && (*entry)->kind != TarKind::file)
    return base::fail(ErrorCode::invalid, fmt::format("{} in it is no plain file", (*entry)->path));
  return entry;
}

Result<std::optional<TarEntry>> TarReader::next_of_any_kind() {
  archive_entry* entry = nullptr;
  const int status = archive_read_next_header(reader_.get(), &entry);
  if (status == ARCHIVE_EOF) return std::optional<TarEntry>();
  if (status != ARCHIVE_OK && status != ARCHIVE_WARN) return failure();
  const char* const path = archive_entry_pathname(entry);
  const TarKind kind = kind_of(entry);
  const bool sized = archive_entry_size_is_set(entry) && archive_entry_size(entry) >= 0;
  if (!path || (kind == TarKind::file && !sized))
    return base::fail(ErrorCode::invalid, fmt::format("{} in it is no plain file", path ? path : "something"));
  const auto size = kind == TarKind::file ? static_cast<std::uint64_t>(archive_entry_size(entry)) : 0;
  return std::optional(TarEntry{path, size, archive_entry_perm(entry) & 0777U, archive_entry_mtime(entry), kind});
}

std::uint64_t TarReader::position() const {
  return static_cast<std::uint64_t>(archive_read_header_position(reader_.get()));
}

Result<std::size_t> TarReader::read(std::span<char> buffer) {
  const la_ssize_t size = archive_read_data(reader_.get(), buffer.data(), buffer.size());
  if (size < 0) return failure();
  return static_cast<std::size_t>(size);
}

Result<void> TarReader::finish() {
  const auto more = next();
  if (!more) return std::unexpected(more.error());
  if (*more) return base::fail(ErrorCode::invalid, fmt::format("it holds a file too many: {}", (*more)->path));
  for (;;) {
    const auto piece = origin_->source.next();
    if (!piece) return std::unexpected(piece.error());
    if (piece->empty()) return {};
    if (std::ranges::any_of(*piece, [](char c) { return c != '\0'; }))
      return base::fail(ErrorCode::invalid, "something stands behind its end");
  }
}

}  // namespace hearth::backup
