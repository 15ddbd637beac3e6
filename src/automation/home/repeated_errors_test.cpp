// SPDX-License-Identifier: Apache-2.0
#include "automation/home/repeated_errors.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/log/log.h"

namespace hearth::automation {
namespace {

// What the log has of the item, in its order.
std::vector<std::string> logged(std::string_view item) {
  std::vector<std::string> lines;
  for (const auto& record : base::recent_log().records())
    if (record->message.starts_with(item)) lines.push_back(record->message);
  return lines;
}

TEST(RepeatedErrors, AreLoggedLessAndLessOften) {
  RepeatedErrors errors;
  for (int i = 0; i < 1'000; ++i) errors.log("Less often", "there is no light.a", RepeatedErrors::Severity::warning);
  errors.log("Less often", "there is no light.b", RepeatedErrors::Severity::error);
  const auto lines = logged("Less often");
  ASSERT_EQ(lines.size(), 11U);  // 1, 2, 4, … 512, and the other one
  EXPECT_EQ(lines.front(), "Less often: there is no light.a");
  EXPECT_EQ(lines[9], "Less often: there is no light.a (512 times by now)");
  EXPECT_EQ(lines.back(), "Less often: there is no light.b");
}

TEST(RepeatedErrors, AreCountedUpToABound) {
  RepeatedErrors errors;
  const std::string text(1'000, 'x');
  for (std::size_t i = 0; i <= RepeatedErrors::kMost; ++i)
    errors.log(std::to_string(i) + " bounded", text, RepeatedErrors::Severity::warning);
  errors.log("0 bounded", text, RepeatedErrors::Severity::warning);
  EXPECT_FALSE(logged("0 bounded").back().ends_with("by now)")) << "it has been forgotten";
}

}  // namespace
}  // namespace hearth::automation
