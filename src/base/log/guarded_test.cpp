// SPDX-License-Identifier: Apache-2.0
#include "base/log/guarded.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "base/log/log.h"

namespace hearth::base {
namespace {

TEST(RunGuarded, IsTrueAfterWorkThatEndsAsItShould) {
  int ran = 0;
  EXPECT_TRUE(run_guarded("test", "counting", [&] { ++ran; }));
  EXPECT_EQ(1, ran);
}

TEST(RunGuarded, LogsWhateverIsThrownAndReturns) {
  recent_log().clear();
  EXPECT_FALSE(run_guarded("cellar", "a message", [] { throw std::runtime_error("too dark"); }));
  EXPECT_FALSE(run_guarded("cellar", "a message", [] { throw 1; }));
  const auto records = recent_log().records();
  ASSERT_EQ(2u, records.size());
  EXPECT_EQ("cellar: a message failed: too dark", records[0]->component + ": " + records[0]->message);
  EXPECT_EQ("a message failed: unknown exception", records[1]->message);
  EXPECT_EQ(LogLevel::error, records[0]->level);
}

}  // namespace
}  // namespace hearth::base
