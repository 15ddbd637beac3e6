// SPDX-License-Identifier: Apache-2.0
#include "net/http/url.h"

#include <gtest/gtest.h>

namespace hearth::net {
namespace {

std::string parsed(std::string_view text) {
  const auto url = parse_url(text);
  return url ? url->str() : url.error().message;
}

std::string followed(std::string_view base, std::string_view location) {
  const auto url = resolve_url(parse_url(base).value(), location);
  return url ? url->str() : url.error().message;
}

TEST(Url, TakesWhatPeopleWrite) {
  EXPECT_EQ(parsed("http://hub.local"), "http://hub.local/");
  EXPECT_EQ(parsed(" HTTPS://Hub.Local:443/a b?q=\xC3\xA4#part\t"), "https://hub.local/a%20b?q=%C3%A4");
  EXPECT_EQ(parsed("http://[FE80::1]:8080?x=1"), "http://[fe80::1]:8080/?x=1");
  EXPECT_EQ(parsed("http://host/a%20b"), "http://host/a%20b");
  EXPECT_EQ(parsed("http://host/a\r\nX: y"), "http://host/a%0D%0AX:%20y");
}

TEST(Url, KeepsUserAndPasswordApart) {
  const auto url = parse_url("http://ann:p%40s:s@host:81/x").value();
  EXPECT_EQ(url.user, "ann");
  EXPECT_EQ(url.password, "p@s:s");
  EXPECT_EQ(url.str(), "http://host:81/x");
  EXPECT_EQ(url.authority(), "host:81");
}

TEST(Url, RefusesWhatIsNoAddressWithoutTellingThePassword) {
  const std::string expected = "expected an address as http://host:80/path, got ";
  for (const char* text : {"", "host/path", "ftp://host/", "http://", "http:///path", "http://host:0/",
                           "http://host:99999/", "http://ho st/", "http://host:80:80/"})
    EXPECT_EQ(parsed(text), expected + text);
  EXPECT_EQ(parsed("http://ann:secret@ho st/"), expected + "http://ho st/");
  EXPECT_EQ(parsed("http://ho\nst/"), expected + "http://ho st/");
  EXPECT_EQ(parsed("http://host/" + std::string(9'000, 'x')).substr(0, expected.size()), expected);
}

TEST(Url, FollowsRedirections) {
  const std::string base = "http://host:81/a/b/c?d=1";
  EXPECT_EQ(followed(base, "https://other/x"), "https://other/x");
  EXPECT_EQ(followed(base, "//other/x"), "http://other/x");
  EXPECT_EQ(followed(base, "/x?y"), "http://host:81/x?y");
  EXPECT_EQ(followed(base, "x"), "http://host:81/a/b/x");
  EXPECT_EQ(followed(base, "../x/./y/"), "http://host:81/a/x/y/");
  EXPECT_EQ(followed(base, "../../../.."), "http://host:81/");
  EXPECT_EQ(followed(base, "?z"), "http://host:81/a/b/c?z");
  EXPECT_EQ(followed(base, ""), "http://host:81/a/b/c?d=1");
  EXPECT_EQ(followed(base, "x:y"), "expected an address as http://host:80/path, got x:y");
  EXPECT_EQ(followed(base, "x?a:b"), "http://host:81/a/b/x?a:b");
}

TEST(Url, DropsTheUserOfARedirection) {
  const auto url = resolve_url(parse_url("http://ann:secret@host/").value(), "http://eve:guess@host/x").value();
  EXPECT_EQ(url.user, "");
  EXPECT_EQ(url.password, "");
}

}  // namespace
}  // namespace hearth::net
