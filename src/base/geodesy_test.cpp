// SPDX-License-Identifier: Apache-2.0
#include "base/geodesy.h"

#include <gtest/gtest.h>

namespace hearth::base {
namespace {

TEST(MetresBetween, FollowsTheEllipsoid) {
  EXPECT_NEAR(metres_between(52.3731, 4.8922, 48.8566, 2.3522), 430'442, 1);  // Amsterdam, Paris
  EXPECT_NEAR(metres_between(0, 0, 0, 1), 111'319.491, 0.001);                // the equator is longer
  EXPECT_NEAR(metres_between(0, 0, 1, 0), 110'574.389, 0.001);                // than a meridian
  EXPECT_NEAR(metres_between(0, 0, 90, 0), 10'001'965.729, 0.001);
  EXPECT_NEAR(metres_between(-37.95103341, 144.42486788, -37.65282113, 143.92649552), 54'972.271, 0.01);
}

TEST(MetresBetween, KnowsTheSamePlaceAndTheOtherSide) {
  EXPECT_EQ(metres_between(52, 4, 52, 4), 0);
  EXPECT_NEAR(metres_between(10, 179.9, 10, -179.9), metres_between(10, 0, 10, 0.2), 0.001);
  EXPECT_NEAR(metres_between(0, 0, 0.5, 179.7), 19'950'277, 10);  // where Vincenty's formula finds no end
}

}  // namespace
}  // namespace hearth::base
