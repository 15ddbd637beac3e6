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
  // `out` must outlive this.
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

// Ends only if the frame is complete, its checksum is right, and nothing follows it.
class DecompressingSource final : public ByteSource {
 public:
  // `in` must outlive this.
  explicit DecompressingSource(ByteSource& in);
  base::Result<std::string_view> next() override;

 private:
  struct Free {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  };

  ByteSource& in_;
  std::unique_ptr<ZSTD_DCtx, Free> context_;
  std::string_view piece_;  // not yet consumed
  bool full_ = false;       // the output buffer was: there may be more output for the same input
  bool ended_ = false;      // the end of the frame
  std::string buffer_;
};

}  // namespace hearth::backup
