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

TEST(LoginClient, RedirectsToItsOwnOriginOnly) {
  EXPECT_EQ("https://panel.example", check_redirect_uri("https://panel.example/cb?x=1", "https://panel.example/"));
  EXPECT_EQ("https://panel.example", check_redirect_uri("https://panel.example:443/cb", "https://Panel.example"));
  EXPECT_EQ("http://a:8123", check_redirect_uri("http://a:8123", "http://a:8123/app"));
  for (const char* bad : {"", "http://panel.example/", "https://panel.example:8443/", "https://evil.example/",
                          "https://panel.example.evil/", "https://panel.example@evil.example/", "/cb",
                          "https://panel.example/#x", "javascript:alert(1)", "https://panel.example/a\nb"}) {
    EXPECT_FALSE(check_redirect_uri(bad, "https://panel.example/")) << bad;
  }
  EXPECT_FALSE(check_redirect_uri("https://panel.example/", "nonsense"));
}

}  // namespace
}  // namespace hearth::auth
