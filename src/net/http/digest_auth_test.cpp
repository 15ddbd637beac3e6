// SPDX-License-Identifier: Apache-2.0
#include "net/http/digest_auth.h"

#include <gtest/gtest.h>

namespace hearth::net {
namespace {

// The example of RFC 7616 §3.9.1.
constexpr std::string_view kExample =
    R"(realm="http-auth@example.org", qop="auth, auth-int", nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", )"
    R"(opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS")";

std::string answer(std::string_view field) {
  const auto challenge = parse_digest_challenges({field});
  if (!challenge) return "none";
  return answer_digest(*challenge, {.method = "GET",
                                    .target = "/dir/index.html",
                                    .user = "Mufasa",
                                    .password = "Circle of Life",
                                    .client_nonce = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"});
}

TEST(DigestAuth, AnswersAsTheRfcDoes) {
  EXPECT_TRUE(answer("Digest " + std::string(kExample) + ", algorithm=SHA-256")
                  .contains(R"(response="753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1", )"
                            R"(algorithm=SHA-256, qop=auth, nc=00000001)"));
  EXPECT_TRUE(answer("digest " + std::string(kExample) + ", algorithm=MD5")
                  .contains(R"(response="8ca523f5e9506fed4657c9700eebdbec")"));
}

// The example of RFC 2069 §2.4, with the value of its erratum.
TEST(DigestAuth, AnswersOldServersWithoutQop) {
  const auto challenge =
      parse_digest_challenges({R"(Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093")"});
  const std::string field = answer_digest(*challenge, {.method = "GET",
                                                       .target = "/dir/index.html",
                                                       .user = "Mufasa",
                                                       .password = "CircleOfLife",
                                                       .client_nonce = "unused"});
  EXPECT_EQ(field,
            R"(Digest username="Mufasa", realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", )"
            R"(uri="/dir/index.html", response="1949323746fe6a43ef61f9606e7febea", algorithm=MD5)");
}

TEST(DigestAuth, TakesTheBestChallengeOfSeveral) {
  const std::vector<std::string_view> fields = {
      R"(Basic realm="a, b", Digest realm="md5", nonce="1", algorithm=MD5, qop="auth")",
      R"(Digest realm=sha, nonce="2", algorithm="SHA-256-sess", qop=auth, stale=TRUE, opaque="")",
      R"(Digest realm="later", nonce="3", algorithm=SHA-3, qop="auth")",
      R"(Digest realm="int", nonce="4", algorithm=SHA-512-256, qop="auth-int")"};
  const auto challenge = parse_digest_challenges(fields);
  ASSERT_TRUE(challenge);
  EXPECT_EQ(*challenge, (DigestChallenge{.algorithm = DigestChallenge::Algorithm::sha256,
                                         .session = true,
                                         .with_qop = true,
                                         .stale = true,
                                         .realm = "sha",
                                         .nonce = "2",
                                         .opaque = ""}));
}

TEST(DigestAuth, FindsNothingInBrokenFields) {
  for (const char* field : {"", ",", "Digest", "Digest realm=\"a\"", "Basic realm=\"nonce=1\"", "Digest nonce=\"1",
                            "Negotiate YII=", "=", "\"", "Digest ===", "Digest nonce=\"1\\"})
    EXPECT_FALSE(parse_digest_challenges({field})) << field;
}

TEST(DigestAuth, QuotesWhatPeopleChoose) {
  const auto challenge = parse_digest_challenges({R"(Digest realm="a\"b\\c", nonce="1")"});
  ASSERT_TRUE(challenge);
  EXPECT_EQ(challenge->realm, R"(a"b\c)");
  const std::string field = answer_digest(
      *challenge, {.method = "GET", .target = "/", .user = "x\"\r\ny", .password = "", .client_nonce = ""});
  EXPECT_TRUE(field.starts_with(R"(Digest username="x\"y", realm="a\"b\\c", )")) << field;
}

TEST(DigestAuth, EncodesBasic) {
  EXPECT_EQ(basic_authorization("Aladdin", "open sesame"), "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
  EXPECT_EQ(basic_authorization("", ""), "Basic Og==");
}

}  // namespace
}  // namespace hearth::net
