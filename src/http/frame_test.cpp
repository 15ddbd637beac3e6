// SPDX-License-Identifier: Apache-2.0
#include "http/frame.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace hearth::http {
namespace {

FramePtr frame(std::size_t size, char filler = 'x') {
  return std::make_shared<const Frame>(std::string(size, filler));
}

std::string content(const BodyFile& file) {
  std::string text(file.size() + 1, '\0');
  text.resize(static_cast<std::size_t>(::pread(file.descriptor(), text.data(), text.size(), 0)));
  return text;
}

TEST(Frame, IsAChunk) {
  const Frame frame("data: 0123456789\n\n");
  EXPECT_EQ(frame.chunk(), "12\r\ndata: 0123456789\n\n\r\n");
  EXPECT_EQ(frame.payload(), "data: 0123456789\n\n");
}

TEST(FrameRun, PutsChunksTogether) {
  FrameRun run;
  run.add(std::make_shared<const Frame>("one"));
  EXPECT_EQ(run.chunks(), "3\r\none\r\n");
  run.add(std::make_shared<const Frame>("three"));
  run.add(std::make_shared<const Frame>("2"));
  EXPECT_EQ(run.chunks(), "3\r\none\r\n5\r\nthree\r\n1\r\n2\r\n");
  EXPECT_EQ(run.frames().size(), 3u);
}

TEST(FrameRun, IsFullAtItsLimit) {
  FrameRun run;
  run.add(frame(FrameRun::kMaxBytes - 100));
  EXPECT_FALSE(run.full());
  run.add(frame(100));
  EXPECT_TRUE(run.full());
}

TEST(FrameRun, LiesInAFileForManyReaders) {
  FrameRun run;
  run.add(frame(FrameRun::kMinFileBytes / 2, 'a'));
  run.add(frame(FrameRun::kMinFileBytes / 2, 'b'));
  for (int i = 0; i < FrameRun::kMinFileReaders; ++i) ASSERT_EQ(run.file_for_next_reader(), nullptr) << i;
  const BodyFile* const file = run.file_for_next_reader();
  ASSERT_NE(file, nullptr);
  EXPECT_EQ(content(*file), run.chunks());
  EXPECT_EQ(run.file_for_next_reader(), file);
}

TEST(FrameRun, LiesInNoFileWhereItIsShort) {
  FrameRun run;
  run.add(frame(FrameRun::kMinFileBytes / 4));
  run.add(frame(FrameRun::kMinFileBytes / 4));
  for (int i = 0; i < 100; ++i) ASSERT_EQ(run.file_for_next_reader(), nullptr) << i;
}

}  // namespace
}  // namespace hearth::http
