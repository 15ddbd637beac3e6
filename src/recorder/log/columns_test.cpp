// SPDX-License-Identifier: Apache-2.0
#include "recorder/log/columns.h"

#include <gtest/gtest.h>

#include <random>

namespace hearth::recorder {
namespace {

TEST(Columns, ReadBackNumbersAndStrings) {
  const std::vector<std::uint64_t> wide{0, 1, UINT64_MAX, 1ull << 40}, same(1000, 7), none;
  ColumnWriter out;
  out.number(UINT64_MAX);
  out.text("Küche");
  out.column(wide);
  out.column(same);
  out.column(none);
  ColumnReader in(out.bytes());
  std::uint64_t number;
  std::string_view text;
  std::vector<std::uint64_t> values;
  EXPECT_TRUE(in.number(number) && number == UINT64_MAX);
  EXPECT_TRUE(in.text(text) && text == "Küche");
  EXPECT_TRUE(in.column(values, wide.size()) && values == wide);
  EXPECT_TRUE(in.column(values, same.size()) && values == same);
  EXPECT_TRUE(in.column(values, 0) && values.empty());
  EXPECT_TRUE(in.done());
}

TEST(Columns, WriteEachTextOnce) {
  const std::string on = "on", off = "off", again = "on";
  TextTable table;
  EXPECT_EQ(table.index(on), 0u);
  EXPECT_EQ(table.index(on), 0u);
  EXPECT_EQ(table.index(off), 1u);
  EXPECT_EQ(table.index(again), 0u);
  ColumnWriter out;
  table.write(out);
  std::vector<std::string_view> texts{"what was there before"};
  EXPECT_FALSE(ColumnReader(out.bytes()).texts(texts, 1));
  ColumnReader in(out.bytes());
  EXPECT_TRUE(in.texts(texts, 2) && in.done());
  EXPECT_EQ(texts, (std::vector<std::string_view>{"on", "off"}));
  EXPECT_FALSE(ColumnReader(out.bytes().substr(0, 5)).texts(texts, 2));
}

TEST(Columns, TakeNoRoomForEqualNumbers) {
  ColumnWriter out;
  out.column(std::vector<std::uint64_t>(1000, 7));
  EXPECT_EQ(out.bytes().size(), 2u);
}

TEST(Columns, ReadNothingOutsideTheirBytes) {
  std::mt19937 random(3);
  for (int round = 0; round < 50'000; ++round) {
    std::string noise(random() % 40, '\0');
    for (char& c : noise) c = static_cast<char>(random());
    ColumnReader in(noise);
    std::uint64_t number;
    std::string_view text;
    std::vector<std::uint64_t> values;
    for (std::size_t count = random() % 50; in.number(number) && in.text(text); count = random() % 50) {
      ASSERT_TRUE(text.data() >= noise.data() && text.data() + text.size() <= noise.data() + noise.size());
      if (!in.column(values, count)) break;
      ASSERT_EQ(values.size(), count);
    }
  }
}

TEST(Columns, RefuseNumbersBeyondTheirBound) {
  ColumnWriter out;
  out.number(8);
  std::uint64_t number;
  EXPECT_FALSE(ColumnReader(out.bytes()).number(number, 7));
  EXPECT_TRUE(ColumnReader(out.bytes()).number(number, 8));
  EXPECT_FALSE(ColumnReader(std::string(10, '\xFF')).number(number));
}

TEST(Columns, ZigzagKeepsEverySign) {
  for (const std::int64_t value : {std::int64_t(0), std::int64_t(-1), std::int64_t(1), INT64_MAX, INT64_MIN})
    EXPECT_EQ(unzigzag(zigzag(value)), value);
}

}  // namespace
}  // namespace hearth::recorder
