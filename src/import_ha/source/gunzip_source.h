// SPDX-License-Identifier: Apache-2.0
// Unpacks one gzip stream (RFC 1952) and compares its checksum, also if it is written as in encrypted backups of
// version 1, whose checksum and size are filled up to a block of 16 bytes each. One thread at a time.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <memory>
#include <string>

#include "backup/byte_stream.h"

namespace hearth::import_ha {

class GunzipSource final : public backup::ByteSource {
 public:
  // The size that an archive may grow to: beyond `free` bytes, at most `ratio` times its own size.
  struct Limits {
    std::uint64_t free = std::uint64_t{10} << 30;
    std::uint64_t ratio = 200;
    bool exceeded(std::uint64_t in, std::uint64_t out) const { return out > free && out / ratio > in; }
  };
  // `in` must outlive this.
  GunzipSource(backup::ByteSource& in, Limits limits);
  // After the end of the stream it reads `in` to its end and ignores that. Fails with unavailable.
  base::Result<std::string_view> next() override;

 private:
  struct Free {
    void operator()(z_stream* stream) const {
      inflateEnd(stream);
      delete stream;
    }
  };

  // The stream has ended; what follows is its checksum and size.
  base::Result<void> check_end();

  backup::ByteSource& in_;
  const Limits limits_;
  std::unique_ptr<z_stream, Free> stream_;
  bool ended_ = false, checked_ = false;
  std::uint64_t taken_ = 0, given_ = 0;  // bytes
  std::uint64_t used_ = 0;               // bytes of those taken
  std::string last_;                     // the last eight of them, or fewer
  unsigned long checksum_ = 0;           // of the plain bytes
  std::string plain_;
};

}  // namespace hearth::import_ha
