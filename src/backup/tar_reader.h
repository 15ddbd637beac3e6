// SPDX-License-Identifier: Apache-2.0
// Reads a tar archive, whoever wrote it (libarchive). One thread at a time.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "backup/byte_stream.h"
#include "backup/tar_entry.h"

struct archive;

namespace hearth::backup {

class TarReader {
 public:
  // `in` must outlive this. Fails, like all below, as `in` does, and with invalid if this is no tar archive.
  static base::Result<TarReader> create(ByteSource& in);
  TarReader(TarReader&&) noexcept;
  ~TarReader();

  // The next file, null at the end; skips the rest of the file before. Fails with invalid if it is not a regular file.
  base::Result<std::optional<TarEntry>> next();
  // The same, but also returns folders, links and whatever else there is, which have no bytes.
  base::Result<std::optional<TarEntry>> next_of_any_kind();
  // Bytes of the archive before that file's header.
  std::uint64_t position() const;
  // Reads that file: 0 at its end.
  base::Result<std::size_t> read(std::span<char> buffer);
  // After the last file: checks that nothing follows and that the source ends properly.
  base::Result<void> finish();

 private:
  struct Origin;
  struct Free {
    void operator()(archive* reader) const;
  };
  explicit TarReader(ByteSource& in);
  std::unexpected<base::Error> failure();

  std::unique_ptr<Origin> origin_;
  std::unique_ptr<archive, Free> reader_;
};

}  // namespace hearth::backup
