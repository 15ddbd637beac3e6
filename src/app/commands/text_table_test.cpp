// SPDX-License-Identifier: Apache-2.0
#include "app/commands/text_table.h"

#include <gtest/gtest.h>

namespace hearth::app {
namespace {

TEST(TextTable, AlignsColumns) {
  EXPECT_EQ(
      "NAME     ROLE\n"
      "ann      user\n"
      "Zoë Lée  reader\n"
      "家       user\n",
      format_table({{"NAME", "ROLE"}, {"ann", "user"}, {"Zoë Lée", "reader"}, {"家", "user"}}));
}

TEST(TextTable, EndsNoLineWithBlanks) {
  EXPECT_EQ("A   B\nxx\n", format_table({{"A", "B"}, {"xx", ""}}));
}

}  // namespace
}  // namespace hearth::app
