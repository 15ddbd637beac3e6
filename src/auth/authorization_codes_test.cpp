// SPDX-License-Identifier: Apache-2.0
#include "auth/authorization_codes.h"

#include <gtest/gtest.h>

namespace hearth::auth {
namespace {

using namespace std::chrono_literals;

class AuthorizationCodesTest : public testing::Test {
 protected:
  std::string issue(const std::string& user) { return codes_.issue({user, 0, "http://a/", "http://a/back", {}}); }

  base::ManualClock clock_;
  AuthorizationCodes codes_{clock_};
};

TEST_F(AuthorizationCodesTest, ServeOnce) {
  const std::string code = issue("ann");
  EXPECT_EQ(kTokenLength, code.size());
  EXPECT_FALSE(codes_.redeem(code.substr(1)));
  const auto grant = codes_.redeem(code);
  ASSERT_TRUE(grant);
  EXPECT_EQ("ann", grant->user_id);
  EXPECT_EQ("http://a/", grant->client_id);
  EXPECT_EQ("http://a/back", grant->redirect_uri);
  EXPECT_FALSE(codes_.redeem(code));
}

TEST_F(AuthorizationCodesTest, NameTheSessionThatASecondUseEnds) {
  const std::string code = issue("ann"), other = issue("ann");
  ASSERT_TRUE(codes_.redeem(code));
  EXPECT_TRUE(codes_.exchanged(code, "session"));
  clock_.advance(23h);
  const auto again = codes_.redeem(code);
  ASSERT_FALSE(again);
  EXPECT_EQ("ann", again.error().user_id);
  EXPECT_EQ("session", again.error().session_id);
  EXPECT_EQ("", codes_.redeem(other).error().session_id);  // too old, never used
  clock_.advance(1h);
  EXPECT_EQ("", codes_.redeem(code).error().session_id);
}

TEST_F(AuthorizationCodesTest, SayThatASecondUseCameBeforeTheSession) {
  const std::string code = issue("ann");
  ASSERT_TRUE(codes_.redeem(code));
  EXPECT_EQ("", codes_.redeem(code).error().session_id);
  EXPECT_FALSE(codes_.exchanged(code, "session"));
}

TEST_F(AuthorizationCodesTest, ForgetUsedOnesFirst) {
  const std::string unused = issue("ann"), used = issue("ann");
  ASSERT_TRUE(codes_.redeem(used));
  ASSERT_TRUE(codes_.exchanged(used, "session"));
  for (int i = 0; i < 999; ++i) issue("eve");
  EXPECT_EQ("", codes_.redeem(used).error().session_id);
  EXPECT_TRUE(codes_.redeem(unused));
}

TEST_F(AuthorizationCodesTest, LiveForAMinute) {
  const std::string first = issue("ann"), second = issue("ann");
  clock_.advance(60s - 1us);
  EXPECT_TRUE(codes_.redeem(first));
  clock_.advance(1us);
  EXPECT_FALSE(codes_.redeem(second));
}

TEST_F(AuthorizationCodesTest, EndWithTheOldestBeyondAThousand) {
  const std::string first = issue("ann"), second = issue("bob");
  for (int i = 0; i < 999; ++i) issue("eve");
  EXPECT_FALSE(codes_.redeem(first));
  EXPECT_TRUE(codes_.redeem(second));
}

// The example of RFC 7636, appendix B.
TEST(CodeChallenge, IsMetByItsVerifierOnly) {
  const std::string challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
  const std::string verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
  EXPECT_TRUE(is_code_challenge(challenge));
  EXPECT_FALSE(is_code_challenge(challenge + "A"));
  EXPECT_FALSE(is_code_challenge(challenge.substr(1) + "+"));
  EXPECT_TRUE(code_verifier_matches(challenge, verifier));
  EXPECT_FALSE(code_verifier_matches(challenge, std::nullopt));
  EXPECT_FALSE(code_verifier_matches(challenge, verifier + "A"));
  EXPECT_FALSE(code_verifier_matches(challenge, challenge));
  EXPECT_TRUE(code_verifier_matches("", std::nullopt));
  EXPECT_TRUE(code_verifier_matches("", ""));
  EXPECT_FALSE(code_verifier_matches("", verifier));
  EXPECT_FALSE(code_verifier_matches(challenge, ""));
}

}  // namespace
}  // namespace hearth::auth
