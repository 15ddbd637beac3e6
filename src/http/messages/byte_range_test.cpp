// SPDX-License-Identifier: Apache-2.0
#include "http/messages/byte_range.h"

#include <gtest/gtest.h>

namespace hearth::http {
namespace {

using Kind = ByteRange::Kind;

TEST(ByteRange, IsAPart) {
  EXPECT_EQ((ByteRange{Kind::part, 0, 5}), parse_range("bytes=0-4", 10));
  EXPECT_EQ((ByteRange{Kind::part, 3, 7}), parse_range("bytes=3-", 10));
  EXPECT_EQ((ByteRange{Kind::part, 7, 3}), parse_range("bytes=-3", 10));
  EXPECT_EQ((ByteRange{Kind::part, 9, 1}), parse_range("bytes=9-9", 10));
  EXPECT_EQ((ByteRange{Kind::part, 5, 5}), parse_range("bytes=5-99", 10)) << "as far as it goes";
  EXPECT_EQ((ByteRange{Kind::part, 5, 5}), parse_range("bytes=5-99999999999999999999999", 10));
  EXPECT_EQ((ByteRange{Kind::part, 0, 10}), parse_range("bytes=-99999999999999999999999", 10));
  EXPECT_EQ((ByteRange{Kind::part, 1, 2}), parse_range(" Bytes= 1-2 ", 10));
}

TEST(ByteRange, MayBeOutside) {
  for (const char* const range : {"bytes=10-", "bytes=10-12", "bytes=-0", "bytes=99999999999999999999999-"})
    EXPECT_EQ((ByteRange{Kind::outside}), parse_range(range, 10)) << range;
  EXPECT_EQ((ByteRange{Kind::outside}), parse_range("bytes=0-", 0));
  EXPECT_EQ((ByteRange{Kind::outside}), parse_range("bytes=-1", 0));
}

TEST(ByteRange, ThatIsNotUnderstoodIsNone) {
  for (const char* const range :
       {"", "bytes", "bytes=", "bytes=-", "bytes=5", "bytes=4-3", "bytes=a-b", "bytes=+1-2", "bytes=1-2x",
        "bytes=0x1-2", "bytes=0-1,3-4", "bytes=--1", "bytes= ", "lines=0-4", "bytes 0-4", "bytes=1 -2"})
    EXPECT_EQ(ByteRange(), parse_range(range, 10)) << range;
}

}  // namespace
}  // namespace hearth::http
