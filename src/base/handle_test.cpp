// SPDX-License-Identifier: Apache-2.0
#include "base/handle.h"

#include <gtest/gtest.h>

#include <string>

namespace hearth::base {
namespace {

TEST(Handle, EndsOnceWhenItIsDestroyedOrReplaced) {
  std::string ended;
  {
    Handle first([&] { ended += "a"; });
    Handle moved(std::move(first));
    EXPECT_TRUE(moved);
    moved = Handle([&] { ended += "b"; });
    EXPECT_EQ(ended, "a");
    moved = {};
    EXPECT_EQ(ended, "ab");
    EXPECT_FALSE(moved);
    first = Handle([&] { ended += "c"; });
  }
  EXPECT_EQ(ended, "abc");
}

}  // namespace
}  // namespace hearth::base
