// SPDX-License-Identifier: Apache-2.0
#include "auth/path_signer.h"

#include <gtest/gtest.h>

namespace hearth::auth {
namespace {

using namespace std::chrono_literals;

TEST(PathSigner, VerifiesForItsSubjectAndTimeOnly) {
  base::ManualClock clock;
  const PathSigner signer(clock);
  const std::string signature = signer.sign("abc", "api\nstates\n", 30s);
  EXPECT_EQ("abc", signer.verify(signature, "api\nstates\n"));
  EXPECT_FALSE(signer.verify(signature, "api\nconfig\n"));
  EXPECT_FALSE(signer.verify(signature, ""));
  clock.advance(30s - 1us);
  EXPECT_TRUE(signer.verify(signature, "api\nstates\n"));
  clock.advance(1us);
  EXPECT_FALSE(signer.verify(signature, "api\nstates\n"));
  clock.advance(24h);
  EXPECT_FALSE(signer.verify(signature, "api\nstates\n"));
}

TEST(PathSigner, IgnoresSettingTheClock) {
  base::ManualClock clock;
  const PathSigner signer(clock);
  const std::string old = signer.sign("abc", "x", 30s);
  clock.advance(30s);
  EXPECT_FALSE(signer.verify(old, "x"));
  clock.set(clock.now() - 24h);
  EXPECT_FALSE(signer.verify(old, "x"));
  const std::string next = signer.sign("abc", "x", 30s);
  clock.set(clock.now() + 24h * 365 * 9);
  EXPECT_TRUE(signer.verify(next, "x"));
  const std::string of_the_future = signer.sign("abc", "x", 30s);
  clock.set(clock.now() - 24h * 365 * 9);
  clock.advance(30s);
  EXPECT_FALSE(signer.verify(of_the_future, "x"));
}

TEST(PathSigner, RefusesWhatItDidNotSign) {
  const base::ManualClock clock;
  const PathSigner signer(clock), other(clock);
  const std::string signature = signer.sign("abc", "x", 30s);
  EXPECT_FALSE(other.verify(signature, "x"));
  for (std::size_t i = 0; i < signature.size(); ++i) {
    std::string changed = signature;
    changed[i] = changed[i] == '1' ? '2' : '1';
    EXPECT_FALSE(signer.verify(changed, "x")) << changed;
    EXPECT_FALSE(signer.verify(signature.substr(0, i), "x")) << i;
  }
  EXPECT_FALSE(signer.verify(signature + "A", "x"));
}

}  // namespace
}  // namespace hearth::auth
