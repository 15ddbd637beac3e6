// SPDX-License-Identifier: Apache-2.0
#include "auth/login_client.h"

#include <gtest/gtest.h>

namespace hearth::auth {
namespace {

TEST(LoginClient, IsTheAddressOfAWebPage) {
  for (const char* good : {"http://panel.example", "https://panel.example/", "http://192.168.1.5:8123/",
                           "http://[fd00::5]:8123/", "https://panel.example/lovelace?x=1", "HTTP://Panel.Example/"}) {
    EXPECT_TRUE(check_client_id(good)) << good;
  }
  for (const char* bad :
       {"", "panel.example", "ftp://panel.example/", "http://", "http:///x", "http://u@panel.example/",
        "http://panel.example/#x", "http://panel.example/a/../b", "http://panel.example/.", "http://panel.example:0/",
        "http://panel.example:99999/", "http://panel example/", "http://panel.example/\r\nx", "http://panel;x/",
        "javascript:alert(1)", "http://panel.example\\@evil.example/", "http://p\xC3\xA4nel.example/"}) {
    const auto refused = check_client_id(bad);
    ASSERT_FALSE(refused) << bad;
    EXPECT_EQ(base::ErrorCode::invalid, refused.error().code);
    EXPECT_TRUE(refused.error().message.starts_with("Invalid client_id: ")) << refused.error().message;
  }
  EXPECT_FALSE(check_client_id("http://panel.example/" + std::string(2'048, 'a')));
}

// The origin, for a page and for a person; empty if it is refused.
std::string origin(std::string_view redirect_uri, std::string_view client_id) {
  const auto target = check_redirect_uri(redirect_uri, client_id);
  if (!target) return "";
  EXPECT_EQ(target->source, target->shown);
  return target->source;
}

TEST(LoginClient, RedirectsToItsOwnOriginOnly) {
  EXPECT_EQ("https://panel.example", origin("https://panel.example/cb?x=1", "https://panel.example/"));
  EXPECT_EQ("https://panel.example", origin("https://panel.example:443/cb", "https://Panel.example"));
  EXPECT_EQ("http://a:8123", origin("http://a:8123", "http://a:8123/app"));
  for (const char* bad : {"", "http://panel.example/", "https://panel.example:8443/", "https://evil.example/",
                          "https://panel.example.evil/", "https://panel.example@evil.example/", "/cb",
                          "https://panel.example/#x", "javascript:alert(1)", "https://panel.example/a\nb"}) {
    EXPECT_FALSE(check_redirect_uri(bad, "https://panel.example/")) << bad;
  }
  EXPECT_FALSE(check_redirect_uri("https://panel.example/", "nonsense"));
}

TEST(LoginClient, RedirectsToTheCompanionApps) {
  const std::string ios = "https://home-assistant.io/iOS", android = "https://home-assistant.io/android";
  const std::string app = "homeassistant://auth-callback", package = "/3p_auth/io.homeassistant.companion.android";
  for (const std::string& client : {ios, android}) {
    const auto target = check_redirect_uri(app, client);
    ASSERT_TRUE(target) << client;
    EXPECT_EQ(target->source, "homeassistant:");
    EXPECT_TRUE(target->shown.starts_with("the companion app for ")) << target->shown;
  }
  for (const std::string host : {"https://wear.googleapis.com", "https://wear.googleapis-cn.com"}) {
    const auto target = check_redirect_uri(host + package, android);
    ASSERT_TRUE(target) << host;
    EXPECT_EQ(target->source, host);
    EXPECT_FALSE(check_redirect_uri(host + package, ios));
    EXPECT_FALSE(check_redirect_uri(host + "/other", android));
  }
  for (const std::string& bad :
       {app + "/", app + "?x=1", std::string("homeassistant://navigate"), "HomeAssistant:" + app}) {
    EXPECT_FALSE(check_redirect_uri(bad, android)) << bad;
  }
  for (const std::string& bad : {ios + "/", std::string("https://home-assistant.io/ios"),
                                 std::string("http://home-assistant.io/iOS"), std::string("https://panel.example/")}) {
    EXPECT_FALSE(check_redirect_uri(app, bad)) << bad;
  }
}

}  // namespace
}  // namespace hearth::auth
