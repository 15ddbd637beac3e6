// SPDX-License-Identifier: Apache-2.0
#include "app/settings/blueprint_source.h"

#include <gtest/gtest.h>

namespace hearth::app {
namespace {

TEST(BlueprintSource, PagesLeadToTheFile) {
  const BlueprintSource page =
      source_of("https://github.com/Anne/home-things/blob/main/blueprints/Motion-Light.yaml#L3");
  EXPECT_EQ(page.url, "https://raw.githubusercontent.com/Anne/home-things/main/blueprints/Motion-Light.yaml");
  EXPECT_EQ(page.suggested_filename, "anne/motion_light");
  const BlueprintSource raw = source_of("https://raw.githubusercontent.com/Anne/x/main/a.yaml");
  EXPECT_EQ(raw.url, "https://raw.githubusercontent.com/Anne/x/main/a.yaml");
  EXPECT_EQ(raw.suggested_filename, "anne/a");
  const BlueprintSource own = source_of("http://192.168.1.7:8000/shared/Door%20bell.yml?raw=1");
  EXPECT_EQ(own.url, "http://192.168.1.7:8000/shared/Door%20bell.yml?raw=1");
  EXPECT_EQ(own.suggested_filename, "192_168_1_7/door_20bell");
  EXPECT_EQ(source_of("https://gist.github.com/Anne/0123abc").url, "https://api.github.com/gists/0123abc");
  EXPECT_EQ(source_of("https://community.home-assistant.io/t/motion-light/123/45").url,
            "https://community.home-assistant.io/t/123.json");
  EXPECT_EQ(source_of("").suggested_filename, "imported/blueprint");
}

TEST(BlueprintSource, AGistHasItAmongItsFiles) {
  BlueprintSource source = source_of("https://gist.github.com/Anne/1");
  const auto text = blueprint_in(R"({"owner": {"login": "Anne"}, "files": {"a.md": {"content": "blueprint:"},
      "b.yaml": {"content": "x: 1"}, "c.yaml": {"content": "blueprint:\n  name: C\n"}}})",
                                 source);
  ASSERT_TRUE(text);
  EXPECT_EQ(*text, "blueprint:\n  name: C\n");
  EXPECT_EQ(source.suggested_filename, "anne/c");
  EXPECT_EQ(blueprint_in(R"({"files": {}})", source).error().message,
            "The gist has no blueprint: a text in YAML with the key blueprint");
  EXPECT_FALSE(blueprint_in("<html>", source));
  EXPECT_FALSE(blueprint_in(R"({"files": [1]})", source));
}

TEST(BlueprintSource, ATopicHasItInItsFirstPost) {
  BlueprintSource source = source_of("https://community.home-assistant.io/t/motion-light/123");
  const auto text = blueprint_in(R"({"slug": "motion-light", "post_stream": {"posts": [{"username": "Anne",
      "cooked": "<p>Mine</p><code>x</code><pre><code class=\"lang-yaml\">blueprint:\n  name: &quot;A &amp; B&quot;\n  &lt;x&gt;</code></pre>"}]}})",
                                 source);
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_EQ(*text, "blueprint:\n  name: \"A & B\"\n  <x>");
  EXPECT_EQ(source.suggested_filename, "anne/motion_light");
  for (const char* const none :
       {R"({"post_stream": {"posts": []}})", R"({"post_stream": {"posts": [{"cooked": "<code>blueprint:"}]}})",
        R"({"post_stream": {"posts": [{"cooked": "</code><code"}]}})", "{}"})
    EXPECT_FALSE(blueprint_in(none, source)) << none;
}

}  // namespace
}  // namespace hearth::app
