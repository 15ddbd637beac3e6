// SPDX-License-Identifier: Apache-2.0
// One zstd frame with zstd's checksum (RFC 8878). One thread at a time.
#pragma once

#include <zstd.h>

#include <memory>
#include <string>

#include "backup/byte_stream.h"

namespace hearth::backup {

class CompressingSink final : public ByteSink {
 public:
  // `out` must outlive it.
  explicit CompressingSink(ByteSink& out);
  base::Result<void> write(std::string_view bytes) override { return compress(bytes, ZSTD_e_continue); }
  base::Result<void> finish() override;

 private:
  struct Free {
    void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  };
  base::Result<void> compress(std::string_view bytes, ZSTD_EndDirective end);

  ByteSink& out_;
  std::unique_ptr<ZSTD_CCtx, Free> context_;
  std::string buffer_;
};

// Its end comes only where the frame ends, its checksum is right, and nothing is behind it.
class DecompressingSource final : public ByteSource {
 public:
  // `in` must outlive it.
  explicit DecompressingSource(ByteSource& in);
  base::Result<std::string_view> next() override;

 private:
  struct Free {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  };

  ByteSource& in_;
  std::unique_ptr<ZSTD_DCtx, Free> context_;
  std::string_view piece_;  // not yet taken
  bool full_ = false;       // the buffer was: there may be more of what it has taken
  bool ended_ = false;      // the frame
  std::string buffer_;
};

}  // namespace hearth::backup
