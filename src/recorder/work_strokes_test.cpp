// SPDX-License-Identifier: Apache-2.0
#include "recorder/work_strokes.h"

#include <gtest/gtest.h>

namespace hearth::recorder {
namespace {

void work() {
  std::this_thread::sleep_for(2 * WorkStrokes::kStroke);
}

TEST(WorkStrokes, RestAfterEachStroke) {
  WorkStrokes strokes;
  for (int i = 0; i < 10; ++i) {
    work();
    EXPECT_TRUE(strokes.rest_if_due());
  }
}

TEST(WorkStrokes, DoNotRestWithin) {
  WorkStrokes strokes;
  strokes.rest_if_due();
  int rests = 0;
  // Long before a stroke has been worked: a machine that is busy may stop the test within, but not in every turn.
  for (int i = 0; i < 1'000; ++i) rests += strokes.rest_if_due() ? 1 : 0;
  EXPECT_LT(rests, 500);
}

TEST(WorkStrokes, HurryHasNone) {
  WorkStrokes strokes;
  strokes.hurry(true);
  for (int i = 0; i < 10; ++i) {
    work();
    EXPECT_FALSE(strokes.rest_if_due());
  }
  strokes.hurry(false);
  work();
  EXPECT_TRUE(strokes.rest_if_due());
}

}  // namespace
}  // namespace hearth::recorder
