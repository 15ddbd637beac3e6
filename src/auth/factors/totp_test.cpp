// SPDX-License-Identifier: Apache-2.0
#include "auth/factors/totp.h"

#include <gtest/gtest.h>

#include <set>

namespace hearth::auth {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kSecret = "12345678901234567890";

base::Timestamp at(std::int64_t seconds) {
  return base::Timestamp(std::chrono::seconds(seconds));
}

// RFC 6238, appendix B, of SHA-1: the last six of its eight digits.
TEST(TotpTest, GivesTheCodesOfTheStandard) {
  const std::pair<std::int64_t, std::string_view> vectors[] = {{59, "287082"},
                                                               {1'111'111'109, "081804"},
                                                               {1'111'111'111, "050471"},
                                                               {1'234'567'890, "005924"},
                                                               {2'000'000'000, "279037"},
                                                               {20'000'000'000, "353130"}};
  for (const auto& [seconds, code] : vectors) {
    EXPECT_EQ(code, totp_code(kSecret, totp_step(at(seconds)))) << seconds;
    EXPECT_EQ(seconds / 30, matching_totp_step(kSecret, code, at(seconds), 0)) << seconds;
  }
}

// RFC 4648, section 10, and as people write it down.
TEST(TotpTest, ReadsSecretsAsPeopleTypeThem) {
  const std::pair<std::string_view, std::string_view> vectors[] = {
      {"", ""}, {"f", "MY======"}, {"fo", "MZXQ===="}, {"foo", "MZXW6==="}, {"foobar", "MZXW6YTBOI======"}};
  for (const auto& [bytes, text] : vectors) EXPECT_EQ(bytes, from_base32(text)) << text;
  EXPECT_EQ(kSecret, from_base32(to_base32(kSecret)));
  EXPECT_EQ("foobar", from_base32("mzxw 6ytb oi"));
  EXPECT_FALSE(from_base32("MZXW1"));
}

TEST(TotpTest, TakesTheStepBeforeAndTheNextOnly) {
  const base::Timestamp now = at(1'234'567'890);
  const std::int64_t step = totp_step(now);
  for (const std::int64_t each : {step - 1, step, step + 1}) {
    EXPECT_EQ(each, matching_totp_step(kSecret, totp_code(kSecret, each), now, 0));
  }
  for (const std::int64_t each : {step - 2, step + 2}) {
    EXPECT_FALSE(matching_totp_step(kSecret, totp_code(kSecret, each), now, 0)) << each - step;
  }
}

TEST(TotpTest, TakesEachStepOnce) {
  const base::Timestamp now = at(1'234'567'890);
  const std::int64_t step = totp_step(now);
  EXPECT_FALSE(matching_totp_step(kSecret, totp_code(kSecret, step), now, step));
  EXPECT_FALSE(matching_totp_step(kSecret, totp_code(kSecret, step - 1), now, step));
  EXPECT_EQ(step + 1, matching_totp_step(kSecret, totp_code(kSecret, step + 1), now, step));
}

TEST(TotpTest, TakesNothingElse) {
  const base::Timestamp now = at(1'234'567'890);
  EXPECT_TRUE(matching_totp_step(kSecret, "005 924", now, 0));
  for (const std::string_view code : {"", "5924", "05924", "0005924", "00592a", "005925", "005-924"}) {
    EXPECT_FALSE(matching_totp_step(kSecret, code, now, 0)) << code;
  }
  EXPECT_FALSE(matching_totp_step("another secret......", "005924", now, 0));
}

TEST(TotpTest, MakesSecretsThatDiffer) {
  std::set<std::string> secrets;
  for (int i = 0; i < 100; ++i) secrets.insert(make_totp_secret());
  EXPECT_EQ(100u, secrets.size());
  EXPECT_EQ(kTotpSecretBytes, secrets.begin()->size());
}

// RFC 4648, section 10, without padding.
TEST(TotpTest, WritesBase32) {
  const std::pair<std::string_view, std::string_view> vectors[] = {{"", ""},
                                                                   {"f", "MY"},
                                                                   {"fo", "MZXQ"},
                                                                   {"foo", "MZXW6"},
                                                                   {"foob", "MZXW6YQ"},
                                                                   {"fooba", "MZXW6YTB"},
                                                                   {"foobar", "MZXW6YTBOI"}};
  for (const auto& [bytes, text] : vectors) EXPECT_EQ(text, to_base32(bytes));
  EXPECT_EQ("77777777", to_base32("\xFF\xFF\xFF\xFF\xFF"));
}

TEST(TotpTest, WritesTheAddressForApps) {
  EXPECT_EQ("otpauth://totp/My%20home:Zo%C3%AB?secret=MZXW6YTB&issuer=My%20home",
            otpauth_url("fooba", "My home", "Zoë"));
}

}  // namespace
}  // namespace hearth::auth
