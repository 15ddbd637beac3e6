// SPDX-License-Identifier: Apache-2.0
#include "base/log/log_scope.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>

namespace hearth::base {
namespace {

TEST(LogScope, IsEmptyOutsideOfAll) {
  EXPECT_EQ("", LogScope::current().entity);
  EXPECT_EQ("", LogScope::current().context);
}

TEST(LogScope, SaysWhatItDoesNotKnowAsTheOneAroundIt) {
  const LogScope run({.context = "01J"});
  {
    const LogScope lamp({.entity = "light.hall"});
    EXPECT_EQ("light.hall", LogScope::current().entity);
    EXPECT_EQ("01J", LogScope::current().context);
    const LogScope other({"light.kitchen", "01K"});
    EXPECT_EQ("light.kitchen", LogScope::current().entity);
    EXPECT_EQ("01K", LogScope::current().context);
  }
  EXPECT_EQ("", LogScope::current().entity);
  EXPECT_EQ("01J", LogScope::current().context);
}

TEST(LogScope, IsOfItsThread) {
  const LogScope scope({"light.hall", "01J"});
  std::string seen = "nothing";
  std::thread([&] { seen = LogScope::current().entity; }).join();
  EXPECT_EQ("", seen);
}

}  // namespace
}  // namespace hearth::base
