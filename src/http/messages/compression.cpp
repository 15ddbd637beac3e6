// SPDX-License-Identifier: Apache-2.0
#include "http/messages/compression.h"

#include <libdeflate.h>
#include <zstd.h>

#include <charconv>
#include <memory>
#include <stdexcept>
#include <utility>

#include "base/text/text.h"

namespace hearth::http {
namespace {

// RFC 8878 §3.1.1.1.2 lets a decoder refuse windows over 8 MiB, as browsers do; higher levels use larger ones.
constexpr int kBestZstd = 19;

// `q=0.5` after the coding; 1 if absent.
double quality(std::string_view parameters) {
  parameters = base::trim_blanks(parameters);
  if (!parameters.starts_with("q=") && !parameters.starts_with("Q=")) return 1;
  double q = 0;
  std::from_chars(parameters.data() + 2, parameters.data() + parameters.size(), q);
  return q;
}

using ZstdContext = std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)>;
using GzipCompressor = std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)>;

ZstdContext zstd_context() {
  return {ZSTD_createCCtx(), &ZSTD_freeCCtx};
}

GzipCompressor gzip_compressor(int level) {
  return {libdeflate_alloc_compressor(level), &libdeflate_free_compressor};
}

std::optional<std::string> compress_zstd(const ZstdContext& context, std::string_view body, int level) {
  std::string out(ZSTD_compressBound(body.size()), '\0');
  const std::size_t size = ZSTD_compressCCtx(context.get(), out.data(), out.size(), body.data(), body.size(), level);
  if (ZSTD_isError(size)) return {};
  out.resize(size);
  return out;
}

std::optional<std::string> compress_gzip(const GzipCompressor& compressor, std::string_view body) {
  if (!compressor) return {};
  std::string out(libdeflate_gzip_compress_bound(compressor.get(), body.size()), '\0');
  const std::size_t size = libdeflate_gzip_compress(compressor.get(), body.data(), body.size(), out.data(), out.size());
  if (size == 0) return {};
  out.resize(size);
  return out;
}

// One zstd frame, compressed piece by piece.
class ZstdSource {
 public:
  explicit ZstdSource(BodySource source) : source_(std::move(source)), context_(ZSTD_createCCtx(), &ZSTD_freeCCtx) {
    if (!context_) throw std::bad_alloc();
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, 1);
  }

  bool operator()(std::string& out) {
    piece_.clear();
    const bool more = source_(piece_);
    ZSTD_inBuffer in{piece_.data(), piece_.size(), 0};
    for (std::size_t left = 1; left > 0;) {
      const std::size_t start = out.size();
      out.resize(start + ZSTD_CStreamOutSize());
      ZSTD_outBuffer made{out.data() + start, out.size() - start, 0};
      left = ZSTD_compressStream2(context_.get(), &made, &in, more ? ZSTD_e_continue : ZSTD_e_end);
      out.resize(start + made.pos);
      if (ZSTD_isError(left)) throw std::runtime_error(ZSTD_getErrorName(left));
      if (more && in.pos == in.size) break;  // the library returns the rest with the next piece
    }
    return more;
  }

 private:
  BodySource source_;
  std::shared_ptr<ZSTD_CCtx> context_;  // has one owner, but std::function must be copyable
  std::string piece_;
};

}  // namespace

Encoding choose_encoding(std::string_view accept_encoding) {
  std::optional<double> zstd, gzip;
  double any = 0;
  while (!accept_encoding.empty()) {
    const auto comma = std::min(accept_encoding.find(','), accept_encoding.size());
    const std::string_view item = accept_encoding.substr(0, comma);
    accept_encoding.remove_prefix(std::min(comma + 1, accept_encoding.size()));
    const auto semicolon = std::min(item.find(';'), item.size());
    const std::string_view coding = base::trim_blanks(item.substr(0, semicolon));
    const double q = quality(item.substr(std::min(semicolon + 1, item.size())));
    if (base::equals_ignoring_case(coding, "zstd"))
      zstd = q;
    else if (base::equals_ignoring_case(coding, "gzip") || base::equals_ignoring_case(coding, "x-gzip"))
      gzip = q;
    else if (coding == "*")
      any = q;
  }
  const double zstd_q = zstd.value_or(any), gzip_q = gzip.value_or(any);
  if (zstd_q > 0 && zstd_q >= gzip_q) return Encoding::zstd;
  return gzip_q > 0 ? Encoding::gzip : Encoding::identity;
}

bool accepts(std::string_view accept_encoding, std::string_view coding) {
  while (!accept_encoding.empty()) {
    const auto comma = std::min(accept_encoding.find(','), accept_encoding.size());
    const std::string_view item = accept_encoding.substr(0, comma);
    accept_encoding.remove_prefix(std::min(comma + 1, accept_encoding.size()));
    const auto semicolon = std::min(item.find(';'), item.size());
    if (base::equals_ignoring_case(base::trim_blanks(item.substr(0, semicolon)), coding))
      return quality(item.substr(std::min(semicolon + 1, item.size()))) > 0;
  }
  return false;
}

std::string_view to_string(Encoding encoding) {
  switch (encoding) {
    case Encoding::identity:
      return "identity";
    case Encoding::gzip:
      return "gzip";
    case Encoding::zstd:
      return "zstd";
  }
  return "identity";
}

std::optional<std::string> compress(std::string_view body, Encoding encoding) {
  if (encoding == Encoding::zstd) {
    thread_local const ZstdContext context = zstd_context();
    return compress_zstd(context, body, 1);
  }
  thread_local const GzipCompressor compressor = gzip_compressor(1);
  return compress_gzip(compressor, body);
}

std::optional<std::string> compress_best(std::string_view body, Encoding encoding) {
  constexpr int kBestGzip = 12;
  if (encoding == Encoding::zstd) return compress_zstd(zstd_context(), body, kBestZstd);
  return compress_gzip(gzip_compressor(kBestGzip), body);
}

std::string decompress_zstd(std::string_view frame) {
  const auto size = ZSTD_getFrameContentSize(frame.data(), frame.size());
  if (size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR) throw std::runtime_error("no zstd frame");
  std::string body(size, '\0');
  const std::size_t made = ZSTD_decompress(body.data(), body.size(), frame.data(), frame.size());
  if (made != size) throw std::runtime_error("a damaged zstd frame");
  return body;
}

BodySource compress(BodySource source, Encoding encoding) {
  if (encoding == Encoding::zstd) return ZstdSource(std::move(source));
  return [source = std::move(source)](std::string& out) {
    std::string whole;
    while (source(whole)) {
    }
    const auto compressed = compress(whole, Encoding::gzip);
    if (!compressed) throw std::runtime_error("gzip failed");
    out += *compressed;
    return false;
  };
}

}  // namespace hearth::http
