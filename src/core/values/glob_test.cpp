// SPDX-License-Identifier: Apache-2.0
#include "core/values/glob.h"

#include <fnmatch.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

namespace hearth::core {
namespace {

TEST(Glob, MatchesWhatItsItemsMean) {
  EXPECT_TRUE(Glob("sensor.kitchen_*").matches("sensor.kitchen_"));
  EXPECT_TRUE(Glob("sensor.kitchen_*").matches("sensor.kitchen_lamp_2"));
  EXPECT_FALSE(Glob("sensor.kitchen_*").matches("sensor.hall_lamp"));
  EXPECT_TRUE(Glob("*").matches("light.a"));
  EXPECT_FALSE(Glob("").matches("light.a"));
  EXPECT_TRUE(Glob("light.?").matches("light.a"));
  EXPECT_FALSE(Glob("light.?").matches("light.ab"));
  EXPECT_TRUE(Glob("light.[a-c]").matches("light.b"));
  EXPECT_FALSE(Glob("light.[!a-c]").matches("light.b"));
  EXPECT_TRUE(Glob("*.lamp_[[:digit:]]").matches("light.lamp_7"));
  EXPECT_FALSE(Glob("*.lamp_[[:digit:]]").matches("light.lamp_x"));
  EXPECT_TRUE(Glob("*_x*_y").matches("light.a_x_x_y"));
  EXPECT_FALSE(Glob("*_x*_y").matches("light.a_x_x_yz"));
}

TEST(Glob, AgreesWithFnmatch) {
  std::mt19937 random(1);
  const auto pick = [&](std::string_view from) { return from[random() % from.size()]; };
  std::size_t hits = 0;
  for (int i = 0; i < 30'000; ++i) {
    std::string pattern, id;
    for (auto length = random() % 9; length > 0; --length) pattern += pick("ab.*?[]!-\\:^");
    for (auto length = random() % 9; length > 0; --length) id += pick("ab.");
    if (pattern.find("[.") != std::string::npos) continue;  // a collating symbol, which globs here do not have
    const bool expected = fnmatch(pattern.c_str(), id.c_str(), 0) == 0;
    hits += expected ? 1 : 0;
    EXPECT_EQ(Glob(pattern).matches(id), expected) << pattern << " over " << id;
  }
  EXPECT_GT(hits, 300u);
}

TEST(Glob, AgreesWithFnmatchBeyondOneWord) {
  std::mt19937 random(2);
  for (int i = 0; i < 1'000; ++i) {
    std::string id, pattern;
    for (int c = 0; c < 255; ++c) id += static_cast<char>('a' + random() % 2);
    for (const char c : id) pattern += random() % 40 == 0 ? '?' : c;
    if (random() % 2 == 0) pattern.replace(random() % 100, 1 + random() % 100, "*");
    if (random() % 2 == 0) pattern[random() % pattern.size()] = 'b';
    EXPECT_EQ(Glob(pattern).matches(id), fnmatch(pattern.c_str(), id.c_str(), 0) == 0) << pattern << " over " << id;
  }
}

TEST(Glob, TakesNoMoreMemoryThanItsTable) {
  EXPECT_LE(Glob("sensor.*").weight(), 400u);
  EXPECT_LE(Glob(std::string(255, '*')).weight(), 400u);
  EXPECT_LE(Glob(std::string(255, '?')).weight(), 1'400u);
}

TEST(Glob, CountsTheStarsThatMatchAnyText) {
  EXPECT_EQ(Glob::stars("*a*b**"), 4u);
  EXPECT_EQ(Glob::stars("\\*a?"), 0u);
}

}  // namespace
}  // namespace hearth::core
