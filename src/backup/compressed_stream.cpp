// SPDX-License-Identifier: Apache-2.0
#include "backup/compressed_stream.h"

#include <fmt/format.h>

namespace hearth::backup {
namespace {

using base::ErrorCode;

constexpr int kLevel = 3;

}  // namespace

CompressingSink::CompressingSink(ByteSink& out)
    : out_(out), context_(ZSTD_createCCtx()), buffer_(ZSTD_CStreamOutSize(), '\0') {
  ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, kLevel);
  ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, 1);
}

base::Result<void> CompressingSink::finish() {
  if (auto done = compress({}, ZSTD_e_end); !done) return done;
  return out_.finish();
}

base::Result<void> CompressingSink::compress(std::string_view bytes, ZSTD_EndDirective end) {
  ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
  for (;;) {
    ZSTD_outBuffer out{buffer_.data(), buffer_.size(), 0};
    const std::size_t left = ZSTD_compressStream2(context_.get(), &out, &in, end);
    if (ZSTD_isError(left))
      return base::fail(ErrorCode::internal, fmt::format("Compression failed: {}.", ZSTD_getErrorName(left)));
    if (out.pos > 0) {
      if (auto done = out_.write({buffer_.data(), out.pos}); !done) return done;
    }
    if (end == ZSTD_e_end ? left == 0 : in.pos == in.size) return {};
  }
}

DecompressingSource::DecompressingSource(ByteSource& in)
    : in_(in), context_(ZSTD_createDCtx()), buffer_(ZSTD_DStreamOutSize(), '\0') {}

base::Result<std::string_view> DecompressingSource::next() {
  ZSTD_outBuffer out{buffer_.data(), buffer_.size(), 0};
  while (out.pos == 0) {
    if (piece_.empty() && !full_) {
      const auto piece = in_.next();
      if (!piece) return piece;
      if (piece->empty() && ended_) return std::string_view();
      if (piece->empty()) return base::fail(ErrorCode::invalid, "it is cut short");
      piece_ = *piece;
    }
    if (ended_) return base::fail(ErrorCode::invalid, "something stands behind its end");
    ZSTD_inBuffer in{piece_.data(), piece_.size(), 0};
    const std::size_t left = ZSTD_decompressStream(context_.get(), &out, &in);
    if (ZSTD_isError(left))
      return base::fail(ErrorCode::invalid, fmt::format("it is damaged ({})", ZSTD_getErrorName(left)));
    piece_.remove_prefix(in.pos);
    ended_ = left == 0;
    full_ = !ended_ && out.pos == out.size;
  }
  return std::string_view(buffer_.data(), out.pos);
}

}  // namespace hearth::backup
