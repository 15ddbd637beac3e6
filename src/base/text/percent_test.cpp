// SPDX-License-Identifier: Apache-2.0
#include "base/text/percent.h"

#include <gtest/gtest.h>

namespace hearth::base {
namespace {

TEST(PercentTest, EncodesAllButUnreservedCharacters) {
  EXPECT_EQ("Az09-._~", percent_encoded("Az09-._~"));
  EXPECT_EQ("%20%2F%25%26%C3%A4%00", percent_encoded(std::string_view(" /%&ä\0", 7)));
}

}  // namespace
}  // namespace hearth::base
