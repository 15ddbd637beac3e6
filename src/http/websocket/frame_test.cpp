// SPDX-License-Identifier: Apache-2.0
#include "http/websocket/frame.h"

#include <gtest/gtest.h>

namespace hearth::http {
namespace {

FramePtr frame(std::size_t size) {
  return std::make_shared<const Frame>(std::string(size, 'x'));
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

}  // namespace
}  // namespace hearth::http
