// SPDX-License-Identifier: Apache-2.0
#include "import_ha/source/gunzip_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <utility>

namespace hearth::import_ha {
namespace {

using base::ErrorCode;
using base::Result;

constexpr std::size_t kUnpackedAtOnce = 256 * 1024;
constexpr int kGzip = 16 + MAX_WBITS;
constexpr std::size_t kTrailer = 8, kTrailerHalf = 4, kTrailerBlock = 16;

std::uint32_t little_endian(std::string_view bytes) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < kTrailerHalf; ++i)
    number |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  return number;
}

}  // namespace

GunzipSource::GunzipSource(backup::ByteSource& in, Limits limits)
    : in_(in), limits_(limits), stream_(new z_stream{}), plain_(kUnpackedAtOnce, '\0') {
  // The library would look for the checksum at one place only.
  if (inflateInit2(stream_.get(), kGzip) != Z_OK || inflateValidate(stream_.get(), 0) != Z_OK) throw std::bad_alloc();
}

Result<std::string_view> GunzipSource::next() {
  stream_->next_out = reinterpret_cast<Bytef*>(plain_.data());
  stream_->avail_out = static_cast<uInt>(plain_.size());
  while (!ended_ && stream_->avail_out > 0) {
    if (stream_->avail_in == 0) {
      const auto piece = in_.next();
      if (!piece) return std::unexpected(piece.error());
      if (piece->empty()) return base::fail(ErrorCode::unavailable, "it is cut short");
      stream_->next_in = reinterpret_cast<Bytef*>(const_cast<char*>(piece->data()));
      stream_->avail_in = static_cast<uInt>(piece->size());
      taken_ += piece->size();
    }
    const std::string_view input(reinterpret_cast<const char*>(stream_->next_in), stream_->avail_in);
    const int status = inflate(stream_.get(), Z_NO_FLUSH);
    const auto used = input.substr(0, input.size() - stream_->avail_in);
    used_ += used.size();
    last_ += used.substr(used.size() - std::min(used.size(), kTrailer));
    last_.erase(0, last_.size() - std::min(last_.size(), kTrailer));
    if (status == Z_STREAM_END)
      ended_ = true;
    else if (status == Z_MEM_ERROR)
      return base::fail(ErrorCode::unavailable, "there is not enough memory to unpack it");
    else if (status != Z_OK && status != Z_BUF_ERROR)
      return base::fail(ErrorCode::unavailable,
                        fmt::format("it is damaged ({})", stream_->msg ? stream_->msg : "no gzip"));
  }
  const std::size_t size = plain_.size() - stream_->avail_out;
  given_ += size;
  checksum_ = crc32_z(checksum_, reinterpret_cast<const Bytef*>(plain_.data()), size);
  if (limits_.exceeded(taken_, given_)) {
    return base::fail(ErrorCode::unavailable,
                      fmt::format("it grows to more than {} times its size, as no backup does", limits_.ratio));
  }
  if (size == 0) {
    if (auto right = check_end(); !right) return std::unexpected(std::move(right.error()));
  }
  return std::string_view(plain_.data(), size);
}

Result<void> GunzipSource::check_end() {
  if (checked_) return {};
  checked_ = true;
  // At the end of `in`, too, because encryption has an end of its own to be checked.
  const std::uint64_t end_of_stream = used_ - kTrailer;
  std::string trailer = last_;
  const auto add = [&](std::string_view more) { trailer += more.substr(0, 3 * kTrailerBlock - trailer.size()); };
  add({reinterpret_cast<const char*>(stream_->next_in), stream_->avail_in});
  for (;;) {
    const auto piece = in_.next();
    if (!piece) return std::unexpected(piece.error());
    if (piece->empty()) break;
    add(*piece);
  }
  const auto is_at = [&](std::size_t checksum, std::size_t size) {
    return trailer.size() >= size + kTrailerHalf && little_endian(trailer.substr(checksum)) == checksum_ &&
           little_endian(trailer.substr(size)) == static_cast<std::uint32_t>(given_);
  };
  const std::size_t filled = (kTrailerBlock - end_of_stream % kTrailerBlock) % kTrailerBlock;
  if (is_at(0, kTrailerHalf) || is_at(filled, filled + kTrailerBlock)) return {};
  return base::fail(ErrorCode::unavailable, "it is damaged (its checksum is wrong)");
}

}  // namespace hearth::import_ha
