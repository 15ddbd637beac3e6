// SPDX-License-Identifier: Apache-2.0
#include "core/bus/context.h"

#include <gtest/gtest.h>

namespace hearth::core {
namespace {

std::string text(const Context& context) {
  std::string out;
  write_json(out, context);
  return out;
}

TEST(Context, HasANewUlidNoParentAndTheUserWhenCreated) {
  const base::ManualClock clock;
  const Context context = Context::create(clock.now(), "someone");
  EXPECT_EQ(context.id.str().size(), 26u);
  EXPECT_FALSE(context.parent_id);
  EXPECT_EQ(context.user_id, "someone");
  EXPECT_NE(context, Context::create(clock.now(), "someone"));
}

TEST(Context, IsWrittenWithNullForWhatItLacks) {
  EXPECT_EQ(text({"A", {}, {}}), R"({"id":"A","parent_id":null,"user_id":null})");
  EXPECT_EQ(text({"A", "P", "U"}), R"({"id":"A","parent_id":"P","user_id":"U"})");
}

}  // namespace
}  // namespace hearth::core
