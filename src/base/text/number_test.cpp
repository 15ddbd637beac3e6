// SPDX-License-Identifier: Apache-2.0
#include "base/text/number.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace hearth::base {
namespace {

TEST(ParseNumber, TakesWhatPeopleAndDevicesWrite) {
  EXPECT_EQ(parse_number("21.5"), 21.5);
  EXPECT_EQ(parse_number("05"), 5);
  EXPECT_EQ(parse_number(" -5\n"), -5);
  EXPECT_EQ(parse_number("+3"), 3);
  EXPECT_EQ(parse_number("1e3"), 1000);
  EXPECT_EQ(parse_number(".5"), 0.5);
}

TEST(ParseNumber, RefusesOtherTexts) {
  for (const char* const text :
       {"", " ", "+", "-", "+-5", "++5", "5 %", "0x10", "nan", "inf", "-inf", "1e999", "on", "5 5", "1_000"})
    EXPECT_EQ(parse_number(text), std::nullopt) << text;
}

TEST(ParsePlainNumber, TakesNeitherBlanksNorAPlus) {
  EXPECT_EQ(parse_plain_number("-5.5"), -5.5);
  for (const char* const text : {"", " 5", "5 ", "+5", "inf"})
    EXPECT_EQ(parse_plain_number(text), std::nullopt) << text;
}

TEST(ParseInteger, TakesAWholeNumberOfTheType) {
  EXPECT_EQ(parse_integer<int>("-42"), -42);
  EXPECT_EQ(parse_integer<std::uint8_t>("255"), 255);
  EXPECT_EQ(parse_integer<std::uint8_t>("256"), std::nullopt);
  EXPECT_EQ(parse_integer<unsigned>("-1"), std::nullopt);
  for (const char* const text : {"", " 5", "5 ", "+5", "5.0", "x"})
    EXPECT_EQ(parse_integer<int>(text), std::nullopt) << text;
}

}  // namespace
}  // namespace hearth::base
