// SPDX-License-Identifier: Apache-2.0
#include "http/memory_budget.h"

#include <gtest/gtest.h>

#include <optional>

namespace hearth::http {
namespace {

TEST(MemoryBudget, IsSharedByAll) {
  MemoryBudget budget(100);
  MemoryBudget::Share one(budget), other(budget);
  EXPECT_TRUE(one.resize(60));
  EXPECT_FALSE(other.resize(41));
  EXPECT_EQ(other.size(), 0u);
  EXPECT_TRUE(other.resize(40));
  EXPECT_FALSE(one.resize(61));
  EXPECT_EQ(one.size(), 60u);
  EXPECT_EQ(budget.used(), 100u);
}

TEST(MemoryBudget, IsReturned) {
  MemoryBudget budget(100);
  std::optional<MemoryBudget::Share> gone(std::in_place, budget);
  MemoryBudget::Share stays(budget);
  EXPECT_TRUE(gone->resize(100));
  EXPECT_TRUE(gone->resize(70));
  EXPECT_TRUE(stays.resize(30));
  gone.reset();
  EXPECT_EQ(budget.used(), 30u);
  EXPECT_TRUE(stays.resize(0));
  EXPECT_EQ(budget.used(), 0u);
  EXPECT_TRUE(stays.resize(100));
}

}  // namespace
}  // namespace hearth::http
