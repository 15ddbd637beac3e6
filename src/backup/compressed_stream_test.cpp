// SPDX-License-Identifier: Apache-2.0
#include "backup/compressed_stream.h"

#include <gtest/gtest.h>

#include "backup/test_streams.h"

namespace hearth::backup {
namespace {

std::string compressed(std::string_view text) {
  TextSink sink;
  CompressingSink out(sink);
  for (std::size_t at = 0; at < text.size(); at += 70'000) out.write(text.substr(at, 70'000)).value();
  out.finish().value();
  EXPECT_TRUE(sink.finished);
  return sink.text;
}

base::Result<std::string> decompressed(const std::string& bytes, std::size_t piece) {
  TextSource source(bytes, piece);
  DecompressingSource in(source);
  return read_to_the_end(in);
}

TEST(CompressedStream, DecompressesToWhatWasWritten) {
  for (const std::string& text :
       {std::string(), std::string("a"), sample_text(1'000'000), std::string(5'000'000, 'x')}) {
    const std::string bytes = compressed(text);
    for (const std::size_t piece : {std::size_t(1'000), std::size_t(131'072), std::size_t(1) << 30})
      EXPECT_EQ(text, decompressed(bytes, piece).value());
  }
}

TEST(CompressedStream, DetectsTruncationAtEveryLength) {
  const std::string bytes = compressed(sample_text(3'000));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto text = decompressed(bytes.substr(0, size), 1'000);
    ASSERT_FALSE(text) << size;
    EXPECT_EQ("it is cut short", text.error().message) << size;
  }
}

TEST(CompressedStream, GivesNoOtherTextIfAByteIsFlipped) {
  const std::string text = sample_text(3'000);
  const std::string bytes = compressed(text);
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string flipped = bytes;
    flipped[at] = static_cast<char>(flipped[at] ^ 0x10);
    const auto read = decompressed(flipped, 1'000);
    EXPECT_TRUE(!read || *read == text) << at;
  }
}

TEST(CompressedStream, ChecksWhatFollowsTheEnd) {
  const std::string bytes = compressed("a");
  EXPECT_EQ("something stands behind its end", decompressed(bytes + "x", 1'000).error().message);
  EXPECT_EQ("something stands behind its end", decompressed(bytes + bytes, 1).error().message);
}

}  // namespace
}  // namespace hearth::backup
