// SPDX-License-Identifier: Apache-2.0
#include "yaml/unresolved_yaml.h"

#include <gtest/gtest.h>

namespace hearth::yaml {
namespace {

json::value parsed(std::string_view text) {
  return base::parse_json(text).value();
}

std::string difference(const std::string& former, std::optional<std::string> removed, const std::string& present,
                       std::optional<std::string> added) {
  const auto before = load_marked(former, "f").value(), after = load_marked(present, "f").value();
  const auto place = first_difference(before.root, removed, after.root, added);
  return place ? place->key + "!" : "";
}

TEST(MarkedYamlTest, FindsWhatDiffersBesideAnItem) {
  const std::string text = "- id: a\n  x: !secret s\n- id: b\n  y: on\n";
  EXPECT_EQ(difference(text, {}, text, {}), "");
  EXPECT_EQ(difference(text, "[0]", "- id: a\n- {id: b, y: on}\n", "[0]"), "");
  EXPECT_EQ(difference(text, "[0]", "- id: b\n  y: on\n", {}), "");
  EXPECT_EQ(difference("- id: a\n", "[0]", "[]\n", {}), "");
  EXPECT_EQ(difference("", {}, "- id: a\n", "[0]"), "");
  EXPECT_EQ(difference("[]", {}, text, "[0]"), "[1]!");
  EXPECT_EQ(difference(text, "[1]", "- id: a\n  x: !secret t\n", {}), "[0].x!");
  EXPECT_EQ(difference(text, "[0]", "- id: a\n- id: b\n  y: \"on\"\n", "[0]"), "[1].y!");
  EXPECT_EQ(difference("a: 1\nb: 2\n", "b", "c: 1\nb: 3\n", "b"), "a!");
  EXPECT_EQ(difference("a: {s: {x: 1}}\n", "a.s", "a:\n", {}), "");
  EXPECT_EQ(difference("a: {s: 1}\nb: {t: 1}", "a.s", "a:\n", {}), "b!");
}

TEST(MarkedYamlTest, PutsSecretsBackWhereItIsCertain) {
  const json::value shown = parsed(R"([{"a":"********"},{"a":"********","n":1},{"b":2}])");
  const json::value source = parsed(R"([{"a":"!s 1"},{"a":"!s 2","n":1},{"b":2}])");
  const auto put = [&](std::string_view wanted) {
    const auto made = unmasked(parsed(wanted), shown, source);
    return made ? base::to_json(*made) : "";
  };
  EXPECT_EQ(put(R"([{"a":"********"},{"a":"********","n":1},{"b":3}])"),
            R"([{"a":"!s 1"},{"a":"!s 2","n":1},{"b":3}])");
  EXPECT_EQ(put(R"([{"a":"********","n":1},{"a":"********"}])"), R"([{"a":"!s 2","n":1},{"a":"!s 1"}])");
  EXPECT_EQ(put(R"([{"x":1},{"a":"********"},{"a":"********","n":2}])"),
            R"([{"x":1},{"a":"!s 1"},{"a":"!s 2","n":2}])");
  EXPECT_EQ(put(R"([{"a":"********","n":2},{"a":"********","n":3}])"), "");
  EXPECT_EQ(put(R"([{"c":"********"}])"), "");
}

}  // namespace
}  // namespace hearth::yaml
