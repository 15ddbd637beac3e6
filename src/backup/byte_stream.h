// SPDX-License-Identifier: Apache-2.0
// Layers that an archive is written and read through: tar, zstd, encryption, file.
//
// One thread at a time.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace hearth::backup {

class ByteSink {
 public:
  virtual ~ByteSink() = default;
  virtual base::Result<void> write(std::string_view bytes) = 0;
  // Call once, at the end; without it the output is incomplete.
  virtual base::Result<void> finish() = 0;
};

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // The next piece, valid until the next call; empty at the end. Fails with invalid if the bytes are damaged.
  virtual base::Result<std::string_view> next() = 0;
  // Leaves out bytes that nobody needs: at most so many; returns how many. 0 if that is no quicker than to read them.
  virtual std::uint64_t skip(std::uint64_t /*bytes*/) { return 0; }
};

}  // namespace hearth::backup
