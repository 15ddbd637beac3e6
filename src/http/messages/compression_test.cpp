// SPDX-License-Identifier: Apache-2.0
#include "http/messages/compression.h"

#include <gtest/gtest.h>
#include <libdeflate.h>
#include <zstd.h>

#include <memory>

namespace hearth::http {
namespace {

std::string text() {
  std::string all;
  for (int i = 0; i < 5000; ++i) all += "light.number_" + std::to_string(i * 7919 % 5000) + " is on;";
  return all;
}

TEST(Compression, PrefersZstdToGzip) {
  EXPECT_EQ(choose_encoding("gzip, deflate, br, zstd"), Encoding::zstd);
  EXPECT_EQ(choose_encoding("gzip, deflate, br"), Encoding::gzip);
  EXPECT_EQ(choose_encoding("x-gzip"), Encoding::gzip);
  EXPECT_EQ(choose_encoding("GZIP"), Encoding::gzip);
  EXPECT_EQ(choose_encoding("*"), Encoding::zstd);
}

TEST(Compression, LeavesBodiesAloneForOthers) {
  EXPECT_EQ(choose_encoding(""), Encoding::identity);
  EXPECT_EQ(choose_encoding("br, deflate"), Encoding::identity);
  EXPECT_EQ(choose_encoding("identity"), Encoding::identity);
  EXPECT_EQ(choose_encoding("identity;q=0"), Encoding::identity);
  EXPECT_EQ(choose_encoding("gzipped"), Encoding::identity);
}

TEST(Compression, RespectsQualities) {
  EXPECT_EQ(choose_encoding("zstd;q=0, gzip"), Encoding::gzip);
  EXPECT_EQ(choose_encoding("zstd;q=0.0, gzip;q=0.000"), Encoding::identity);
  EXPECT_EQ(choose_encoding("zstd; q=0.001"), Encoding::zstd);
  EXPECT_EQ(choose_encoding("gzip ; Q=1"), Encoding::gzip);
  EXPECT_EQ(choose_encoding("gzip;q=0, *"), Encoding::zstd);
  EXPECT_EQ(choose_encoding("zstd;q=0, *;q=0.5"), Encoding::gzip);
  EXPECT_EQ(choose_encoding("gzip, *;q=0"), Encoding::gzip);
  EXPECT_EQ(choose_encoding("*;q=0"), Encoding::identity);
  EXPECT_EQ(choose_encoding("gzip;q=nan"), Encoding::identity);
  EXPECT_EQ(choose_encoding(",;,;q=1,,gzip,"), Encoding::gzip);
}

TEST(Compression, ZstdBodiesDecompressToTheSame) {
  const std::string body = text();
  const auto compressed = compress(body, Encoding::zstd);
  ASSERT_TRUE(compressed);
  EXPECT_LT(compressed->size(), body.size() / 2);
  std::string back(body.size(), '\0');
  EXPECT_EQ(ZSTD_decompress(back.data(), back.size(), compressed->data(), compressed->size()), body.size());
  EXPECT_EQ(back, body);
}

TEST(Compression, GzipBodiesDecompressToTheSame) {
  const std::string body = text();
  const auto compressed = compress(body, Encoding::gzip);
  ASSERT_TRUE(compressed);
  EXPECT_LT(compressed->size(), body.size() / 2);
  const std::unique_ptr<libdeflate_decompressor, decltype(&libdeflate_free_decompressor)> decompressor(
      libdeflate_alloc_decompressor(), &libdeflate_free_decompressor);
  std::string back(body.size(), '\0');
  std::size_t size = 0;
  EXPECT_EQ(libdeflate_gzip_decompress(decompressor.get(), compressed->data(), compressed->size(), back.data(),
                                       back.size(), &size),
            LIBDEFLATE_SUCCESS);
  EXPECT_EQ(size, body.size());
  EXPECT_EQ(back, body);
}

TEST(Compression, IsSmallerAtItsBest) {
  std::string body;
  for (unsigned i = 0, random = 1; i < 5000; ++i, random = random * 1103515245 + 12345) {
    constexpr std::string_view kWords[] = {"const ", "entity", ".state", " = ", "(hub", ", ", ");\n", "return "};
    body += kWords[random >> 16 & 7];
  }
  for (const Encoding encoding : {Encoding::zstd, Encoding::gzip}) {
    const auto best = compress_best(body, encoding);
    ASSERT_TRUE(best);
    EXPECT_LT(best->size(), compress(body, encoding)->size());
  }
}

// The text in pieces of `size`, one of them empty.
BodySource pieces(std::size_t size) {
  return [all = text(), size, from = std::size_t(0), paused = false](std::string& out) mutable {
    if (from > 0 && !std::exchange(paused, true)) return true;
    out += std::string_view(all).substr(from, size);
    from += size;
    return from < all.size();
  };
}

TEST(Compression, BodiesInPiecesDecompressToTheSame) {
  for (const std::size_t size : {1'000u, 64'000u, 10'000'000u}) {
    std::string zstd, gzip;
    const BodySource zstd_source = compress(pieces(size), Encoding::zstd);
    while (zstd_source(zstd)) {
    }
    const BodySource gzip_source = compress(pieces(size), Encoding::gzip);
    while (gzip_source(gzip)) {
    }
    const std::string body = text();
    std::string back(body.size(), '\0');
    EXPECT_EQ(ZSTD_decompress(back.data(), back.size(), zstd.data(), zstd.size()), body.size());
    EXPECT_EQ(back, body);
    EXPECT_EQ(gzip, compress(body, Encoding::gzip));
  }
}

TEST(Compression, OfAnEmptyBodyIsAnEmptyBody) {
  std::string zstd;
  EXPECT_FALSE(compress([](std::string&) { return false; }, Encoding::zstd)(zstd));
  char nothing;
  EXPECT_FALSE(zstd.empty());
  EXPECT_EQ(ZSTD_decompress(&nothing, 1, zstd.data(), zstd.size()), 0u);
}

}  // namespace
}  // namespace hearth::http
