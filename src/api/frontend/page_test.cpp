// SPDX-License-Identifier: Apache-2.0
#include "api/frontend/page.h"

#include <gtest/gtest.h>

namespace hearth::api {
namespace {

std::string body(std::string_view page) {
  const auto filled = fill_page(page, "#123456");
  return filled ? filled->body : filled.error().message;
}

TEST(FrontendPage, FillsInTheColourAndLeavesModulesOut) {
  EXPECT_EQ(body(R"(<meta content="{{ theme_color }}">)"), R"(<meta content="#123456">)");
  EXPECT_EQ(body("a{%- for m in extra -%}\n import(\"{{ m }}\");\n{%- endfor -%}b"), "ab");
  EXPECT_EQ(body("{{ theme_color }}{{ theme_color }}"), "#123456#123456");
  EXPECT_EQ(body("function(){return {a:{}}}"), "function(){return {a:{}}}");
  EXPECT_EQ(body(""), "");
}

TEST(FrontendPage, NamesWhatItCannotFillIn) {
  EXPECT_EQ(body("<p>{{ user }}</p>"), "it asks its server for something unknown: {{ user }}</p>");
  EXPECT_TRUE(body("{%- for x in y -%} without an end").starts_with("it asks its server for something unknown"));
}

TEST(FrontendPage, AllowsItsOwnInlineScriptsByTheirHashes) {
  const auto filled = fill_page(
      "<script>alert('Hello, world.');</script><script src=\"/a.js\">x</script><script crossorigin=\"a\">{{ "
      "theme_color "
      "}}</script><script>unclosed",
      "#fff");
  ASSERT_TRUE(filled);
  // The example of Content Security Policy Level 2, section 4.2.5.
  EXPECT_NE(filled->policy.find(" 'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='"), std::string::npos);
  // openssl dgst -sha256 -binary | base64, of the third as it is sent.
  EXPECT_NE(filled->policy.find(" 'sha256-4I3nE4d8VOi6qM6WtiXuWIJ+eXpxy3nIqyVpw2YHTQo='"), std::string::npos);
  std::size_t hashes = 0;
  for (std::size_t at = 0; (at = filled->policy.find("sha256-", at)) != std::string::npos; ++at) ++hashes;
  EXPECT_EQ(hashes, 2U);
}

}  // namespace
}  // namespace hearth::api
