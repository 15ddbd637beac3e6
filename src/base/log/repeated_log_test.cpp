// SPDX-License-Identifier: Apache-2.0
#include "base/log/repeated_log.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/log/log.h"

namespace hearth::base {
namespace {

// The log's changes of the item, in its order.
std::vector<std::string> logged(std::string_view item) {
  std::vector<std::string> lines;
  for (const auto& record : recent_log().records())
    if (record->message.starts_with(item)) lines.push_back(record->message);
  return lines;
}

TEST(RepeatedLog, LinesAreLoggedLessAndLessOften) {
  RepeatedLog log("test");
  for (int i = 0; i < 1'000; ++i) log.log("Less often", "there is no light.a", RepeatedLog::Severity::warning);
  log.log("Less often", "there is no light.b", RepeatedLog::Severity::error);
  const auto lines = logged("Less often");
  ASSERT_EQ(lines.size(), 11U);  // 1, 2, 4, … 512, and the other one
  EXPECT_EQ(lines.front(), "Less often: there is no light.a");
  EXPECT_EQ(lines[9], "Less often: there is no light.a (512 times by now)");
  EXPECT_EQ(lines.back(), "Less often: there is no light.b");
}

TEST(RepeatedLog, LinesAreCountedUpToABound) {
  RepeatedLog log("test");
  const std::string text(1'000, 'x');
  for (std::size_t i = 0; i <= RepeatedLog::kMost; ++i)
    log.log(std::to_string(i) + " bounded", text, RepeatedLog::Severity::warning);
  log.log("0 bounded", text, RepeatedLog::Severity::warning);
  EXPECT_FALSE(logged("0 bounded").back().ends_with("by now)")) << "it has been forgotten";
}

TEST(RepeatedLog, LinesOfOneKeyAreOne) {
  RepeatedLog log("test");
  for (int i = 0; i < 100; ++i) log.log_as("guest", "asked for light.x" + std::to_string(i));
  EXPECT_EQ(logged("asked for light.x").size(), 7U);  // 1, 2, 4, … 64
  EXPECT_EQ(log.count("gue"), 100U);
}

}  // namespace
}  // namespace hearth::base
