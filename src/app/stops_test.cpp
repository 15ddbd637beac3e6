// SPDX-License-Identifier: Apache-2.0
#include "app/stops.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace hearth::app {
namespace {

// Each stop notes a letter, and `[…]` what is one task of the bus.
class StopsTest : public testing::Test {
 protected:
  void push(char letter) {
    stops_.push([this, letter] { order_ += letter; });
  }
  void push_on_bus(char letter) {
    stops_.push_on_bus([this, letter] { order_ += letter; });
  }
  static void fail() { throw std::runtime_error("stuck"); }
  std::string run() {
    stops_.run();
    return std::exchange(order_, "");
  }

  bool bus_runs_ = true;
  std::string order_;
  Stops stops_{[this](const Stops::Stop& task) {
    if (!bus_runs_) throw std::runtime_error("the bus has stopped");
    order_ += '[';
    task();
    order_ += ']';
  }};
};

TEST_F(StopsTest, TheLastThatStartedStopsFirstAndEachOnce) {
  push('a');
  push('b');
  EXPECT_EQ(run(), "ba");
  push('c');
  EXPECT_EQ(run(), "c");
  EXPECT_EQ(run(), "");
}

TEST_F(StopsTest, OneThatThrowsDoesNotKeepTheOthersFromStopping) {
  push('a');
  stops_.push(fail);
  push_on_bus('b');
  stops_.push_on_bus(fail);
  push_on_bus('c');
  push('d');
  EXPECT_EQ(run(), "d[cb]a");
}

TEST_F(StopsTest, PartsOfTheBusThatFollowEachOtherStopInOneTask) {
  push_on_bus('a');
  push('b');
  push_on_bus('c');
  push_on_bus('d');
  push_on_bus('e');
  EXPECT_EQ(run(), "[edc]b[a]");
}

TEST_F(StopsTest, ABusThatRunsNothingAnyMoreHoldsNothingUp) {
  bus_runs_ = false;
  push('a');
  push_on_bus('b');
  push('c');
  EXPECT_EQ(run(), "ca");
}

TEST(Stops, AStartThatFailsStopsWhatItHasPushed) {
  std::string order;
  {
    Stops stops([](const Stops::Stop& task) { task(); });
    stops.push([&] { order += "a"; });
    stops.push_on_bus([&] { order += "b"; });
  }
  EXPECT_EQ(order, "ba");
}

}  // namespace
}  // namespace hearth::app
