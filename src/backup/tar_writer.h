// SPDX-License-Identifier: Apache-2.0
// Writes a tar archive of plain files, as GNU's tar does: names are bytes of any length. (libarchive can, too, but its
// archive drags in what it needs for a dozen other formats.)
//
// One thread at a time.
#pragma once

#include "backup/byte_stream.h"
#include "backup/tar_entry.h"

namespace hearth::backup {

class TarWriter {
 public:
  // `out` must outlive it.
  explicit TarWriter(ByteSink& out) : out_(out) {}

  // A file begins; its bytes follow, exactly as many as it says.
  base::Result<void> begin(const TarEntry& entry);
  base::Result<void> write(std::string_view bytes);
  // The archive's end, and the sink's.
  base::Result<void> finish();

 private:
  base::Result<void> pad();

  ByteSink& out_;
  std::uint64_t left_ = 0;    // bytes of the file
  std::size_t in_block_ = 0;  // bytes of the last block
};

}  // namespace hearth::backup
