// SPDX-License-Identifier: Apache-2.0
// Reads a tar archive of plain files, whoever wrote it (libarchive). One thread at a time.
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
  // `in` must outlive it. Fails, like all below, as `in` does, and with invalid where this is no tar archive.
  static base::Result<TarReader> create(ByteSource& in);
  TarReader(TarReader&&) noexcept;
  ~TarReader();

  // The next file, nothing at the end; what is left of the one before is passed over. Fails with invalid where it is
  // anything but a plain file.
  base::Result<std::optional<TarEntry>> next();
  // Of that file: 0 at its end.
  base::Result<std::size_t> read(std::span<char> buffer);
  // Behind the last file: that there is nothing more, and that the source ends well.
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
