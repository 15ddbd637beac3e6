// SPDX-License-Identifier: Apache-2.0
#include "yaml/edit/item_difference.h"

#include <gtest/gtest.h>

namespace hearth::yaml {
namespace {

std::string difference(std::string_view before, std::string_view after) {
  std::string text;
  for (const ItemDifference& each : differences(*base::parse_json(before), *base::parse_json(after)))
    text += std::string(to_text(each.kind)) + " " + each.path + "\n";
  return text;
}

TEST(ItemDifference, NamesKeys) {
  EXPECT_EQ(difference(R"({"a":1,"b":2,"d":{"x":1,"y":1}})", R"({"b":3,"c":4,"d":{"x":1,"y":2}})"),
            "removed a\nchanged b\nchanged d.y\nadded c\n");
  EXPECT_EQ(difference(R"({"a":[1]})", R"({"a":[1]})"), "");
}

TEST(ItemDifference, NamesAStepThatCameBetween) {
  EXPECT_EQ(difference(R"({"a":[{"x":1},{"x":2}]})", R"({"a":[{"x":1},{"x":5},{"x":2}]})"), "added a[1]\n");
  EXPECT_EQ(difference(R"({"a":[{"x":1},{"x":5},{"x":2}]})", R"({"a":[{"x":1},{"x":2}]})"), "removed a[1]\n");
}

TEST(ItemDifference, NamesTheKeyOfAStepThatStayed) {
  EXPECT_EQ(difference(R"({"a":[{"t":"state","to":"on"},{"x":2}]})", R"({"a":[{"t":"state","to":"off"},{"x":2}]})"),
            "changed a[0].to\n");
  EXPECT_EQ(difference(R"({"a":[{"t":"state"}]})", R"({"a":[{"delay":5}]})"), "changed a[0]\n");
}

TEST(ItemDifference, HasABound) {
  std::string before = "{", after = "{";
  for (int i = 0; i < 300; ++i) before += (i ? ",\"k" : "\"k") + std::to_string(i) + "\":1";
  EXPECT_EQ(differences(*base::parse_json(before + "}"), *base::parse_json(after + "}")).size(), kMostDifferences);
}

}  // namespace
}  // namespace hearth::yaml
