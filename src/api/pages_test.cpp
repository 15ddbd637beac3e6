// SPDX-License-Identifier: Apache-2.0
#include "api/pages.h"

#include "api/test_home.h"

namespace hearth::api {
namespace {

constexpr std::string_view kPolicy =
    "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src "
    "'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'";

class PagesTest : public testing::Test {
 protected:
  PagesTest() { home_.start(); }
  TestHome::Answer get(std::string_view target, std::string_view fields = "") {
    return home_.ask("GET", target, "", "", fields);
  }

  TestHome home_;
};

TEST_F(PagesTest, AnswersEveryPathOfAPageWithThePage) {
  for (const char* path : {"/", "/welcome", "/login", "/invitation", "/overview", "/history", "/energy",
                           "/developer-tools", "/developer-tools/states", "/developer-tools/x%20y", "/profile",
                           "/settings", "/settings/users", "/?a=b", "/login?x"}) {
    const auto answer = get(path);
    EXPECT_EQ(answer.status, 200) << path;
    EXPECT_EQ(answer.body, "page") << path;
    EXPECT_TRUE(answer.has("Content-Type: text/html; charset=utf-8")) << path;
    EXPECT_TRUE(answer.has("Cache-Control: no-cache")) << path;
    EXPECT_TRUE(answer.has(kPolicy)) << answer.head;
  }
}

TEST_F(PagesTest, IsolatesAPageThatBrowsersTrust) {
  constexpr std::string_view kIsolation = "Cross-Origin-Opener-Policy: same-origin";
  for (const char* target : {"/", "/nowhere"}) {
    const std::string_view browser = "Accept: text/html\r\n";
    EXPECT_FALSE(get(target, browser).has(kIsolation)) << target;
    EXPECT_TRUE(get(target, "Accept: text/html\r\nX-Forwarded-Proto: https\r\n").has(kIsolation)) << target;
    EXPECT_FALSE(get(target, "Accept: text/html\r\nX-Forwarded-Proto: http\r\n").has(kIsolation)) << target;
    for (const char* host : {"localhost:8123", "LOCALHOST", "127.0.0.1:8123", "[::1]"}) {
      EXPECT_TRUE(get(fmt::format("http://{}{}", host, target), browser).has(kIsolation)) << host;
    }
    for (const char* host : {"hub.local:8123", "192.168.1.5:8123", "localhost.example", "127.0.0.1.example"}) {
      EXPECT_FALSE(get(fmt::format("http://{}{}", host, target), browser).has(kIsolation)) << host;
    }
  }
}

TEST_F(PagesTest, ShowsABrowserThatNothingIsThere) {
  for (const char* path : {"/nowhere", "/login/", "/settings/a/b/c", "//", "/apis", "/index.html"}) {
    for (const char* accept : {"text/html", "text/html,application/xhtml+xml,*/*;q=0.8", "a/b , Text/HTML;q=0.9"}) {
      const auto answer = get(path, fmt::format("Accept: {}\r\nIf-None-Match: \"3\"\r\n", accept));
      EXPECT_EQ(answer.status, 404) << path;
      EXPECT_EQ(answer.body, "page") << path;
      EXPECT_TRUE(answer.has("Content-Type: text/html; charset=utf-8")) << path;
      EXPECT_TRUE(answer.has("Cache-Control: no-store")) << path;
      EXPECT_TRUE(answer.has(kPolicy)) << answer.head;
    }
    for (const char* accept : {"*/*", "text/*", "text/htmlx", "application/json", ",;,"}) {
      EXPECT_EQ(get(path, fmt::format("Accept: {}\r\n", accept)).body, R"({"message":"There is no such endpoint."})");
    }
    EXPECT_EQ(home_.ask("HEAD", path, "", "", "Accept: text/html\r\n").status, 404);
    EXPECT_TRUE(home_.ask("POST", path, "", "", "Accept: text/html\r\n").has("Content-Type: application/json"));
  }
}

TEST_F(PagesTest, TellsAMessageBelowTheInterfacesOfPrograms) {
  for (const char* path : {"/api", "/api/nowhere", "/api/states/", "/auth", "/auth/nowhere"}) {
    const auto answer = get(path, "Accept: text/html\r\n");
    EXPECT_EQ(answer.status, 404) << path;
    EXPECT_EQ(answer.body, R"({"message":"There is no such endpoint."})") << path;
  }
}

TEST_F(PagesTest, AnswersFilesAtTheirPath) {
  const auto script = get("/assets/main-BkX2f9aQ.js");
  EXPECT_EQ(script.body, "script");
  EXPECT_TRUE(script.has("Cache-Control: public, max-age=31536000, immutable"));
  EXPECT_EQ(script.head.find("Content-Security-Policy"), std::string::npos);
  EXPECT_EQ(get("/favicon.svg").body, "picture");
  EXPECT_EQ(get("/favicon%2esvg").body, "picture");
}

TEST_F(PagesTest, KnowsNoOtherPath) {
  for (const char* path :
       {"/index.html", "/login/", "/settings/", "/settings/a/b/c", "/developer-tools/", "//", "/Login", "/assets",
        "/assets/", "/assets/main.js", "/assets%2fmain-BkX2f9aQ.js", "/favicon.svg/", "/nowhere"}) {
    const auto answer = get(path);
    EXPECT_EQ(answer.status, 404) << path;
    EXPECT_EQ(answer.body, R"({"message":"There is no such endpoint."})") << path;
  }
  for (const char* path : {"/assets/../favicon.svg", "/../favicon.svg", "/assets/%2e%2e/favicon.svg", "/%00"}) {
    EXPECT_EQ(get(path).status, 400) << path;
  }
}

TEST_F(PagesTest, AreOnlyRead) {
  for (const char* path : {"/", "/settings/users", "/favicon.svg"}) {
    for (const char* method : {"POST", "PUT", "DELETE"}) {
      const auto answer = home_.ask(method, path, home_.admin);
      EXPECT_EQ(answer.status, 405) << path;
      EXPECT_TRUE(answer.has("Allow: GET, HEAD")) << path;
    }
    EXPECT_EQ(home_.ask("HEAD", path, "").status, 200) << path;
  }
}

TEST_F(PagesTest, KeepThePolicyIfThePageIsKnown) {
  const auto answer = home_.ask("HEAD", "/", "", "", "If-None-Match: \"3\"\r\n");
  EXPECT_EQ(answer.status, 304);
  EXPECT_TRUE(answer.has(kPolicy)) << answer.head;
}

TEST_F(PagesTest, AreNotServedToTheBannedNorAtTheEnd) {
  const std::string_view from = "X-Forwarded-For: 192.0.2.7\r\n";
  for (std::size_t i = 0; i < auth::LoginThrottle::kMaxFailures; ++i) {
    home_.ask("GET", "/api/states", auth::make_token(), "", from);
  }
  for (const char* path : {"/", "/assets/main-BkX2f9aQ.js"}) EXPECT_EQ(get(path, from).status, 429) << path;
  EXPECT_EQ(get("/").status, 200);
  home_.hub.run_state = core::RunState::stopping;
  EXPECT_EQ(get("/").status, 503);
}

}  // namespace
}  // namespace hearth::api
