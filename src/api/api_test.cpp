// SPDX-License-Identifier: Apache-2.0
#include "api/api.h"

#include <gtest/gtest.h>

#include "api/routes.h"
#include "api/test_home.h"

namespace hearth::api {
namespace {

class ApiTest : public testing::Test {
 protected:
  // The result of the check before the body is read: a status and the message, or `goes on`.
  std::string check(http::Verb method, std::string_view target, const std::string& authorization = "",
                    const std::string& client = "192.0.2.1") {
    http::Request request;
    request.method = method;
    const auto verb = boost::beast::http::to_string(method);
    request.method_text.assign(verb.data(), verb.size());
    request.client = boost::asio::ip::make_address(client);
    request.headers.authorization = authorization;
    EXPECT_TRUE(request.target.parse(target));
    const auto early = home_.api.check(request);
    headers_ = early ? early->headers : "";
    return early ? fmt::format("{} {}", early->status, early->body()) : "goes on";
  }
  std::string get(std::string_view target, const std::string& token) {
    return check(http::Verb::get, target, token.empty() ? "" : "Bearer " + token);
  }
  void ban() {
    for (std::size_t i = 0; i < auth::LoginThrottle::kMaxFailures; ++i) get("/api/states", auth::make_token());
  }

  const std::string kUnauthorized = R"(401 {"message":"A valid access token is needed."})";
  const std::string kReadOnly = R"(403 {"message":"This user may only read."})";
  const std::string kAdministrators = R"(403 {"message":"This endpoint is for administrators."})";

  TestHome home_;
  std::string headers_;
};

TEST_F(ApiTest, SaysThatItShutsDownBeforeAllElse) {
  ban();
  home_.hub.run_state = core::RunState::stopping;
  EXPECT_EQ(get("/nowhere", ""), R"(503 {"message":"The hub is shutting down."})");
  home_.hub.run_state = core::RunState::final_write;
  EXPECT_EQ(get("/api/", ""), R"(503 {"message":"The hub is shutting down."})");
}

TEST_F(ApiTest, RefusesABannedAddressBeforeItLooksAtThePath) {
  ban();
  for (const char* target : {"/nowhere", "/api/", "/api/states"}) {
    EXPECT_EQ(get(target, home_.admin), R"(429 {"message":"Too many failed logins from this address."})") << target;
    EXPECT_EQ(headers_, "Retry-After: 300\r\n");
  }
  EXPECT_EQ(check(http::Verb::get, "/api/", "", "192.0.2.2"), "goes on");
}

TEST_F(ApiTest, NeverCountsMissingTokensOrMissingRights) {
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(get("/api/states", ""), kUnauthorized);
    EXPECT_EQ(get("/api/config", home_.user), kAdministrators);
    EXPECT_EQ(check(http::Verb::post, "/api/events/x", "Bearer " + home_.reader), kReadOnly);
  }
  EXPECT_TRUE(home_.throttle.list().empty());
}

TEST_F(ApiTest, LooksAtThePathBeforeTheToken) {
  for (const char* target : {"/api", "/api/states/", "/api//states", "/nowhere", "/api/services/light"}) {
    EXPECT_EQ(get(target, ""), R"(404 {"message":"There is no such endpoint."})") << target;
  }
  EXPECT_EQ(check(http::Verb::put, "/api/states/light.a"),
            R"(405 {"message":"This endpoint does not know the method PUT."})");
  EXPECT_EQ(headers_, "Allow: GET, HEAD, POST, DELETE\r\n");
  EXPECT_EQ(check(http::Verb::head, "/api/stream", "Bearer " + home_.admin),
            R"(405 {"message":"This endpoint does not know the method HEAD."})");
  EXPECT_EQ(headers_, "Allow: GET\r\n");
}

TEST_F(ApiTest, WantsATokenEverywhereButOnOpenEndpoints) {
  for (const Endpoint& endpoint : endpoints()) {
    if (endpoint.receive) continue;  // opens a file before the body; functional tests have these
    const auto answer = check(endpoint.method, endpoint.path);
    EXPECT_EQ(answer, is_open(endpoint.access) ? "goes on" : kUnauthorized) << endpoint.path;
    EXPECT_EQ(headers_, is_open(endpoint.access) ? "" : "WWW-Authenticate: Bearer\r\n") << endpoint.path;
  }
  EXPECT_EQ(get("/api/", "nonsense"), "goes on");
}

TEST_F(ApiTest, ChecksTheRightOfEachEndpoint) {
  const auto as = [&](const Endpoint& endpoint, const std::string& token) {
    return check(endpoint.method, endpoint.path, "Bearer " + token);
  };
  for (const Endpoint& endpoint : endpoints()) {
    if (endpoint.receive) continue;
    const bool admin = is_for_administrators(endpoint.access);
    const bool writes = endpoint.access == Access::control || endpoint.access == Access::fire;
    EXPECT_EQ(as(endpoint, home_.admin), "goes on") << endpoint.path;
    EXPECT_EQ(as(endpoint, home_.user), admin ? kAdministrators : "goes on") << endpoint.path;
    EXPECT_EQ(as(endpoint, home_.reader), admin ? kAdministrators : writes ? kReadOnly : "goes on") << endpoint.path;
  }
}

TEST_F(ApiTest, LetsATokenForMetricsReadNothingElse) {
  for (const Endpoint& endpoint : endpoints()) {
    if (endpoint.receive) continue;
    const auto answer = check(endpoint.method, endpoint.path, "Bearer " + home_.metrics);
    const bool goes_on = is_open(endpoint.access) || endpoint.access == Access::metrics;
    const bool refused = answer.starts_with(R"(403 {"message":")");
    EXPECT_TRUE(goes_on ? answer == "goes on" : refused) << endpoint.path << ' ' << answer;
  }
  EXPECT_EQ(nullptr, home_.authenticator.authenticate(home_.metrics));
  EXPECT_EQ(nullptr, home_.authenticator.find("metrics"));
  EXPECT_TRUE(home_.throttle.list().empty());
}

TEST_F(ApiTest, TakesLongBodiesOnlyFromWhoHasAToken) {
  home_.start();
  const std::string long_body(home_.options.limits.open_body_bytes + 1, ' ');
  for (const Endpoint& endpoint : endpoints()) {
    if (endpoint.method != http::Verb::post || endpoint.receive) continue;
    const bool open = endpoint.access == Access::open;
    const int status = home_.ask("POST", endpoint.path, open ? "" : home_.admin, long_body).status;
    EXPECT_EQ(status == 413, open) << endpoint.path << ' ' << status;
  }
  EXPECT_EQ(home_.ask("GET", "/api/", home_.admin, long_body).status, 413);
  EXPECT_EQ(home_.ask("GET", "/favicon.svg", "", long_body).status, 413);
  EXPECT_EQ(home_.ask("POST", "/auth/revoke", "", long_body.substr(1)).status, 200);
}

TEST_F(ApiTest, TakesTheSchemeInAnyCase) {
  for (const std::string scheme : {"Bearer ", "bearer ", "BEARER ", "bEaReR   "}) {
    EXPECT_EQ(check(http::Verb::get, "/api/states", scheme + home_.user), "goes on") << scheme;
  }
}

TEST_F(ApiTest, RefusesOtherSchemesAndTokens) {
  for (const std::string& text : {"Basic " + home_.user, home_.user, "Bearer" + home_.user, std::string("Bearer"),
                                  std::string("Bearer "), "Bearer " + home_.user + "x", "Bearer \t" + home_.user}) {
    EXPECT_EQ(check(http::Verb::get, "/api/states", text), kUnauthorized) << text;
  }
  EXPECT_EQ(get("/api/states?token=" + home_.user, ""), kUnauthorized);
}

TEST_F(ApiTest, RefusesTokensThatAreExpiredOrRevoked) {
  EXPECT_EQ(get("/api/config", home_.brief), "goes on");
  home_.clock.advance(std::chrono::hours(1));
  EXPECT_EQ(get("/api/config", home_.brief), kUnauthorized);
  EXPECT_EQ(get("/api/states", home_.user), "goes on");
  home_.publish({"user"});
  EXPECT_EQ(get("/api/states", home_.user), kUnauthorized);
}

TEST_F(ApiTest, NotesWhenAndWhereATokenWasUsed) {
  get("/api/states", home_.user);
  const auto uses = home_.authenticator.drain_uses();
  ASSERT_EQ(uses.size(), 1u);
  EXPECT_EQ(uses[0].token_id, "user");
  EXPECT_EQ(uses[0].used_from, "192.0.2.1");
}

TEST_F(ApiTest, CountsFailuresOfTheClientBehindAProxy) {
  home_.start();
  const auto ask = [&](const char* from, const std::string& token) {
    return home_.ask("GET", "/api/states", token, "", fmt::format("X-Forwarded-For: {}\r\n", from)).status;
  };
  for (std::size_t i = 0; i < auth::LoginThrottle::kMaxFailures; ++i)
    EXPECT_EQ(ask("192.0.2.7", auth::make_token()), 401);
  EXPECT_EQ(ask("192.0.2.7", home_.user), 429);
  EXPECT_EQ(ask("192.0.2.8", home_.user), 200);
}

TEST_F(ApiTest, AnswersPreflightsWithoutAToken) {
  home_.start();
  const std::string_view wish =
      "Origin: https://panel.example\r\nAccess-Control-Request-Method: POST\r\n"
      "Access-Control-Request-Headers: authorization\r\n";
  const auto answer = home_.ask("OPTIONS", "/api/states/light.a", "", "", wish);
  EXPECT_EQ(answer.status, 200);
  EXPECT_TRUE(answer.has("Access-Control-Allow-Origin: https://panel.example"));
  EXPECT_TRUE(answer.has("Access-Control-Allow-Methods: POST"));
  EXPECT_TRUE(answer.has("Access-Control-Allow-Headers: authorization"));
  EXPECT_EQ(home_.ask("OPTIONS", "/api/states", "", "", wish).status, 403);
  EXPECT_EQ(home_.ask("OPTIONS", "/api/states/light.a", "").status, 403);
  EXPECT_EQ(home_.ask("OPTIONS", "/nowhere", "", "", wish).status, 404);
}

TEST_F(ApiTest, AnswersHeadAsGetWithoutTheBody) {
  home_.set("light.a", "on");
  home_.start();
  for (const char* target : {"/api/", "/api/states/light.a", "/api/events", "/api/services", "/api/core/state"}) {
    const auto whole = home_.ask("GET", target, home_.user);
    const auto head = home_.ask("HEAD", target, home_.user);
    EXPECT_EQ(head.status, 200) << target;
    EXPECT_TRUE(head.has(fmt::format("Content-Length: {}", whole.body.size()))) << head.head;
  }
  EXPECT_EQ(home_.ask("HEAD", "/api/states", home_.user).status, 200);
  EXPECT_EQ(home_.ask("HEAD", "/api/states/light.b", home_.user).status, 404);
  EXPECT_EQ(home_.ask("HEAD", "/api/states/light.a", "").status, 401);

  http::TestClient client(home_.server.port());
  client.send(TestHome::request("HEAD", "/api/states/light.a", home_.user) +
              TestHome::request("GET", "/api/", home_.user));
  EXPECT_EQ(client.read_answer(true).status, 200);
  EXPECT_EQ(client.read_answer().body, R"({"message":"API running."})");
}

TEST_F(ApiTest, LooksAtTheRightBeforeTheBody) {
  home_.start();
  const std::pair<const char*, const char*> writes[] = {{"POST", "/api/states/not-an-id"},
                                                        {"POST", "/api/events/*"},
                                                        {"POST", "/api/services/no/service"},
                                                        {"DELETE", "/api/states/light.nowhere"}};
  for (const auto& [method, target] : writes) {
    EXPECT_EQ(home_.ask(method, target, home_.reader, "{nonsense").status, 403) << target;
    EXPECT_EQ(home_.ask(method, target, "", "{nonsense").status, 401) << target;
  }
}

}  // namespace
}  // namespace hearth::api
