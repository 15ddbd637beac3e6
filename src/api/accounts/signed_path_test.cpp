// SPDX-License-Identifier: Apache-2.0
#include "api/accounts/signed_path.h"

#include <gtest/gtest.h>

#include "api/test_home.h"

namespace hearth::api {
namespace {

using namespace std::chrono_literals;

class SignedPath : public testing::Test {
 protected:
  std::string sign(std::string_view path, const std::string& token, std::chrono::seconds life = 30s) {
    return sign_path(home_.gate, *home_.authenticator.authenticate(token), path, life).value();
  }
  int ask(std::string_view method, std::string_view target, const std::string& token = "") {
    return home_.ask(method, target, token).status;
  }
  std::string refusal(std::string_view path, std::chrono::seconds life = 30s) {
    const auto path_or_error = sign_path(home_.gate, *home_.authenticator.authenticate(home_.admin), path, life);
    return path_or_error ? "" : path_or_error.error().message;
  }
  void SetUp() override { home_.start(); }

  TestHome home_;
};

TEST_F(SignedPath, LetsInOnGetOfThatPathOnly) {
  const std::string path = sign("/api/states/light.a", home_.user);
  home_.set("light.a", "on");
  const std::string query = path.substr(path.find('?'));
  EXPECT_EQ(200, ask("GET", path));
  EXPECT_EQ(200, ask("HEAD", path));
  EXPECT_EQ(200, ask("GET", "/api/states/light%2Ea" + query));
  EXPECT_EQ(401, ask("POST", path));
  EXPECT_EQ(401, ask("DELETE", path));
  EXPECT_EQ(401, ask("GET", "/api/states" + query));
  EXPECT_EQ(401, ask("GET", "/api/states/light.b" + query));
  EXPECT_EQ(401, ask("GET", path + "x"));
  EXPECT_EQ(401, ask("GET", path, "wrong"));
  EXPECT_EQ(401, ask("GET", "/api/states/light.a?authSig=" + home_.user));
}

TEST_F(SignedPath, HasItsParametersSigned) {
  const std::string path = sign("/api/states?a=1&b=x%20y", home_.user);
  const std::string signature = path.substr(path.find("authSig="));
  EXPECT_EQ(200, ask("GET", path));
  EXPECT_EQ(200, ask("GET", "/api/states?a=1&b=x+y&" + signature));
  EXPECT_EQ(200, ask("GET", "/api/states?" + signature + "&a=1&b=x%20y"));
  for (const char* query : {"", "a=1&", "a=1&b=x&", "b=x%20y&a=1&", "a=1&b=x%20y&c=1&", "a=1&a=1&b=x%20y&"}) {
    EXPECT_EQ(401, ask("GET", std::string("/api/states?") + query + signature)) << query;
  }
}

TEST_F(SignedPath, LetsAPictureSayItsSize) {
  const std::string path = sign("/api/states", home_.user);
  EXPECT_EQ(200, ask("GET", path + "&width=640&height=480"));
  EXPECT_EQ(401, ask("GET", path + "&width=640&depth=1"));
}

TEST_F(SignedPath, EndsWithItsTimeItsTokenAndTheRight) {
  const std::string states = sign("/api/states", home_.user), config = sign("/api/config", home_.user);
  const std::string brief = sign("/api/states", home_.brief, 86'400s);
  EXPECT_EQ(403, ask("GET", config));
  home_.clock.advance(30s - 1us);
  EXPECT_EQ(200, ask("GET", states));
  home_.clock.advance(1us);
  EXPECT_EQ(401, ask("GET", states));
  EXPECT_EQ(200, ask("GET", brief));
  home_.clock.advance(1h);
  EXPECT_EQ(401, ask("GET", brief));
  const std::string next = sign("/api/states", home_.user);
  home_.publish({"user"});
  EXPECT_EQ(401, ask("GET", next));
}

TEST_F(SignedPath, CountsNoFailure) {
  for (int i = 0; i < 20; ++i) ask("GET", "/api/states?authSig=wrong");
  EXPECT_TRUE(home_.throttle.list().empty());
}

TEST_F(SignedPath, IsRefusedForWhatIsNoPathOrTooLong) {
  EXPECT_EQ("expires: expected 1 to 86400 seconds.", refusal("/api/states", 0s));
  EXPECT_EQ("expires: expected 1 to 86400 seconds.", refusal("/api/states", 86'401s));
  EXPECT_EQ("path: expected one that starts with /.", refusal("http://h/api/states"));
  EXPECT_EQ("path: it is signed already.", refusal("/api/states?authSig=x"));
  EXPECT_EQ("Invalid request target: it has a segment ...", refusal("/api/../x"));
}

}  // namespace
}  // namespace hearth::api
