// SPDX-License-Identifier: Apache-2.0
// What an archive is written through and read through, one layer behind the other: tar, zstd, a passphrase, a file.
//
// One thread at a time.
#pragma once

#include <string_view>

#include "base/result.h"

namespace hearth::backup {

class ByteSink {
 public:
  virtual ~ByteSink() = default;
  virtual base::Result<void> write(std::string_view bytes) = 0;
  // Once, at the end. Without it what was written is not whole.
  virtual base::Result<void> finish() = 0;
};

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // The next piece, valid until the next call; empty at the end. Fails with invalid where the bytes are not what was
  // written.
  virtual base::Result<std::string_view> next() = 0;
};

}  // namespace hearth::backup
