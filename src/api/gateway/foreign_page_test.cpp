// SPDX-License-Identifier: Apache-2.0
#include "api/gateway/foreign_page.h"

#include <gtest/gtest.h>

#include "api/routes.h"
#include "api/test_home.h"

namespace hearth::api {
namespace {

core::HubConfig home_of_urls() {
  core::HubConfig home;
  home.internal_url = "http://192.168.1.5:8123";
  home.external_url = "https://home.example.org";
  return home;
}

bool is_refused(std::string_view host, std::optional<std::string_view> origin, std::string_view site = "") {
  http::RequestHeaders headers;
  headers.host = host;
  headers.has_origin = origin.has_value();
  headers.origin = origin.value_or("");
  headers.sec_fetch_site = site;
  http::ServerOptions options;
  options.cors_allowed_origins = {"https://panel.example"};
  const auto refused = refuse_foreign_page(headers, home_of_urls(), options);
  EXPECT_TRUE(!refused || refused->status == 403);
  return refused.has_value();
}

TEST(ForeignPage, IsNoneOfTheHubsOwnAddresses) {
  EXPECT_FALSE(is_refused("hub.local:8123", "http://hub.local:8123"));
  EXPECT_FALSE(is_refused("Hub.local:8123", "http://hub.local:8123"));
  EXPECT_FALSE(is_refused("[fd00::5]:8123", "http://[fd00::5]:8123"));
  EXPECT_FALSE(is_refused("hub", "http://hub"));
  EXPECT_FALSE(is_refused("hub:80", "http://hub"));
  EXPECT_FALSE(is_refused("home.example", "https://home.example"));  // a proxy ended TLS
  EXPECT_FALSE(is_refused("127.0.0.1:8123", "https://home.example.org"));
  EXPECT_FALSE(is_refused("127.0.0.1:8123", "http://192.168.1.5:8123"));
}

TEST(ForeignPage, IsAnyOther) {
  for (const char* origin :
       {"https://evil.example", "http://hub.local", "http://hub.local:8124", "http://hub.local.evil.example:8123",
        "http://xhub.local:8123", "http://192.168.1.5", "https://home.example.org:8443", "null", "", "hub.local:8123",
        "ftp://hub.local:8123", "http://hub.local:8123/", "http://hub.local:8123 http://evil.example"}) {
    EXPECT_TRUE(is_refused("hub.local:8123", origin)) << origin;
  }
  EXPECT_TRUE(is_refused("", "http://hub.local:8123"));
  EXPECT_TRUE(is_refused("hub.local:80", "https://hub.local"));
}

TEST(ForeignPage, IsWhatTheBrowserCallsCrossSite) {
  for (const char* site : {"", "same-origin", "same-site", "none"}) {
    EXPECT_FALSE(is_refused("hub", "http://hub", site)) << site;
    EXPECT_FALSE(is_refused("hub", {}, site)) << site;
    EXPECT_TRUE(is_refused("hub", "http://other", site)) << site;
  }
  EXPECT_TRUE(is_refused("hub", "http://hub", "cross-site"));
  EXPECT_TRUE(is_refused("hub", {}, "cross-site"));
  EXPECT_TRUE(is_refused("hub", {}, "nonsense"));
}

TEST(ForeignPage, IsNoneThatMayCallTheHub) {
  EXPECT_FALSE(is_refused("hub", "https://panel.example"));
  EXPECT_FALSE(is_refused("hub", "https://panel.example", "cross-site"));
}

bool is_from_outside(const std::string& client, std::string_view host) {
  http::Request request;
  request.client = boost::asio::ip::make_address(client);
  request.headers.host = host;
  return may_be_foreign(request, home_of_urls());
}

TEST(ForeignPage, MayComeFromOutsideByItsAddress) {
  for (const char* client : {"127.0.0.1", "::1", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.77",
                             "169.254.1.1", "fd12::1", "fe80::1", "::ffff:192.168.1.77"}) {
    EXPECT_FALSE(is_from_outside(client, "hub:8123")) << client;
  }
  for (const char* client :
       {"203.0.113.9", "172.32.0.1", "100.64.0.1", "192.169.0.1", "2001:db8::1", "::ffff:8.8.8.8"}) {
    EXPECT_TRUE(is_from_outside(client, "hub:8123")) << client;
  }
}

TEST(ForeignPage, MayComeFromOutsideByANameThatIsNotTheHomesAlone) {
  for (const char* host : {"192.168.1.5:8123", "8.8.8.8", "[fd00::5]:8123", "localhost", "hub", "hub.local:8123",
                           "home.example.org", "HOME.example.org:8443"}) {
    EXPECT_FALSE(is_from_outside("192.168.1.77", host)) << host;
  }
  for (const char* host : {"", "evil.example", "evil.example:8123", "x.home.example.org", "user@hub", "hub:x"}) {
    EXPECT_TRUE(is_from_outside("192.168.1.77", host)) << host;
  }
}

class ForeignPageApiTest : public testing::Test {
 protected:
  std::string_view foreign_ = "Origin: https://evil.example\r\nSec-Fetch-Site: cross-site\r\n";
  TestHome home_;
};

// New endpoints are here by themselves.
TEST_F(ForeignPageApiTest, IsRefusedWhereverNoTokenIsNeededToChangeSomething) {
  home_.start();
  int refused = 0;
  for (const Endpoint& endpoint : endpoints()) {
    if (endpoint.access != Access::open || endpoint.method == http::Verb::get) continue;
    const auto verb = boost::beast::http::to_string(endpoint.method);
    const auto answer = home_.ask({verb.data(), verb.size()}, endpoint.path, "", "{}", foreign_);
    EXPECT_EQ(answer.status, 403) << endpoint.path;
    EXPECT_TRUE(answer.body.starts_with(R"({"message":"This page is not the hub's own.)")) << answer.body;
    ++refused;
  }
  EXPECT_GE(refused, 7);
  EXPECT_EQ(home_.ask("GET", "/auth/providers", "", "", foreign_).status, 200);
  EXPECT_EQ(home_.ask("GET", "/api/states", home_.user, "", foreign_).status, 200);
  EXPECT_EQ(home_.ask("POST", "/api/states/light.a", home_.user, R"({"state": "on"})", foreign_).status, 201);
}

TEST_F(ForeignPageApiTest, OpensNoWebSocketAndCountsNoFailure) {
  home_.start();
  constexpr std::string_view upgrade =
      "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nX-Forwarded-For: 192.0.2.9\r\n";
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(home_.ask("GET", "/api/websocket", "", "", fmt::format("{}{}", upgrade, foreign_)).status, 403);
  }
  EXPECT_TRUE(home_.throttle.list().empty());
  for (const char* own : {"Origin: http://h\r\n", "Origin: https://panel.example\r\n", ""}) {
    http::TestClient client(home_.server.port());
    client.send(fmt::format("GET /api/websocket HTTP/1.1\r\nHost: h\r\n{}{}\r\n", upgrade, own));
    EXPECT_TRUE(client.read_until("\r\n\r\n").starts_with("HTTP/1.1 101 ")) << own;
  }
}

}  // namespace
}  // namespace hearth::api
