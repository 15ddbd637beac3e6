// SPDX-License-Identifier: Apache-2.0
#include "app/stops.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace hearth::app {
namespace {

TEST(Stops, RunsEachOnceAndTheLastFirstEvenIfOneThrows) {
  std::string order;
  {
    Stops stops;
    stops.push([&] { order += "a"; });
    stops.push([] { throw std::runtime_error("stuck"); });
    stops.push([&] { order += "c"; });
    stops.run();
    EXPECT_EQ("ca", order);
    stops.push([&] { order += "d"; });
  }
  EXPECT_EQ("cad", order);
}

}  // namespace
}  // namespace hearth::app
