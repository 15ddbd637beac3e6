// SPDX-License-Identifier: Apache-2.0
// Writes a tar archive of regular files as GNU tar does: names are bytes of any length. (libarchive can, too, but would
// bring the dependencies of a dozen other formats.)
//
// One thread at a time.
#pragma once

#include "backup/byte_stream.h"
#include "backup/tar_entry.h"

namespace hearth::backup {

class TarWriter {
 public:
  // `out` must outlive this.
  explicit TarWriter(ByteSink& out) : out_(out) {}

  // Starts a file; exactly as many bytes as its size must follow.
  base::Result<void> begin(const TarEntry& entry);
  base::Result<void> write(std::string_view bytes);
  // Ends the archive and the sink.
  base::Result<void> finish();

 private:
  base::Result<void> pad();

  ByteSink& out_;
  std::uint64_t left_ = 0;    // bytes left of the file
  std::size_t in_block_ = 0;  // bytes in the last block
};

}  // namespace hearth::backup
