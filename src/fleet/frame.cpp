// SPDX-License-Identifier: Apache-2.0
#include "fleet/frame.h"

#include <fmt/format.h>
#include <zstd.h>

#include <memory>
#include <new>
#include <stdexcept>

namespace hearth::fleet {
namespace {

constexpr int kLevel = 3;

std::unexpected<base::Error> no_frame(std::string why) {
  return base::fail(base::ErrorCode::invalid, std::move(why));
}

}  // namespace

std::string pack_frame(std::string_view bytes) {
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  thread_local const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(), &ZSTD_freeCCtx);
  if (!context) throw std::bad_alloc();
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, kLevel);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  const std::size_t size = ZSTD_compress2(context.get(), out.data(), out.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(size)) throw std::runtime_error(ZSTD_getErrorName(size));
  out.resize(size);
  return out;
}

base::Result<std::string> unpack_frame(std::string_view frame, std::size_t most) {
  const auto size = ZSTD_getFrameContentSize(frame.data(), frame.size());
  if (size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR) return no_frame("it is no frame of zstd");
  if (size > most) return no_frame(fmt::format("it has more than {} MiB", most >> 20));
  if (ZSTD_findFrameCompressedSize(frame.data(), frame.size()) != frame.size()) return no_frame("its size is wrong");
  std::string out(size, '\0');
  // A context is larger than most batches, and costs more than to unpack one.
  thread_local const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(), &ZSTD_freeDCtx);
  if (!context) throw std::bad_alloc();
  if (ZSTD_decompressDCtx(context.get(), out.data(), out.size(), frame.data(), frame.size()) != size)
    return no_frame("it is damaged");
  return out;
}

}  // namespace hearth::fleet
