// SPDX-License-Identifier: Apache-2.0
#include "auth/factors/totp_setups.h"

#include <gtest/gtest.h>

namespace hearth::auth {
namespace {

using namespace std::chrono_literals;

class TotpSetupsTest : public testing::Test {
 protected:
  base::ManualClock clock_;
  TotpSetups setups_{clock_};
};

TEST_F(TotpSetupsTest, AreOfTheirUserOnly) {
  const auto setup = setups_.begin("ann");
  EXPECT_EQ(setup.secret, setups_.find("ann", setup.id));
  EXPECT_FALSE(setups_.find("bob", setup.id));
  EXPECT_FALSE(setups_.find("ann", "another"));
  setups_.end("ann");
  EXPECT_FALSE(setups_.find("ann", setup.id));
}

TEST_F(TotpSetupsTest, EndWithTheNextOfTheUser) {
  const auto first = setups_.begin("ann"), second = setups_.begin("ann");
  EXPECT_FALSE(setups_.find("ann", first.id));
  EXPECT_TRUE(setups_.find("ann", second.id));
}

TEST_F(TotpSetupsTest, LiveForTenMinutes) {
  const auto setup = setups_.begin("ann");
  clock_.advance(10min - 1us);
  EXPECT_TRUE(setups_.find("ann", setup.id));
  clock_.advance(1us);
  EXPECT_FALSE(setups_.find("ann", setup.id));
}

TEST_F(TotpSetupsTest, EndAtTheBoundTheOldestFirst) {
  const auto first = setups_.begin("first");
  for (std::size_t i = 0; i < TotpSetups::kMaxSetups; ++i) {
    clock_.advance(1us);
    setups_.begin(std::to_string(i));
  }
  EXPECT_FALSE(setups_.find("first", first.id));
}

}  // namespace
}  // namespace hearth::auth
