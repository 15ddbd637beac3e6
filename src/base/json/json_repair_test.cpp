// SPDX-License-Identifier: Apache-2.0
#include "base/json/json_repair.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace hearth::base {
namespace {

TEST(JsonRepair, ReplacesNanAndInfinityByNull) {
  json::object object{{"a", 1.5},
                      {"b", std::nan("")},
                      {"c", {1, -std::numeric_limits<double>::infinity()}},
                      {"d", {{"e", std::numeric_limits<double>::infinity()}}}};
  EXPECT_EQ(repair_json(object), "b is not a number");
  EXPECT_EQ(to_json(object), R"({"a":1.5,"b":null,"c":[1,null],"d":{"e":null}})");
  // Writing would make them null anyway.
  EXPECT_EQ(object, (json::object{{"a", 1.5}, {"b", nullptr}, {"c", {1, nullptr}}, {"d", {{"e", nullptr}}}}));
}

TEST(JsonRepair, MakesStringsUtf8) {
  json::object object{{"name",
                       "K\xfc"
                       "che \xc3\xa9 \xe2\x82"},
                      {"list", {"fine", "\xff\xfe"}},
                      {"inner", {{"a", "\xe2\x82"}}}};
  EXPECT_EQ(repair_json(object), "name is not UTF-8");
  EXPECT_EQ(to_json(object),
            "{\"name\":\"K\uFFFD"
            "che \u00e9 \uFFFD\uFFFD\",\"list\":[\"fine\",\"\uFFFD\uFFFD\"],\"inner\":{\"a\":\"\uFFFD\uFFFD\"}}");
  EXPECT_TRUE(parse_json(to_json(object)));
}

TEST(JsonRepair, LeavesWhatIsRight) {
  json::object object{{"a", "\u00e9"}, {"b", 1e300}, {"c", nullptr}, {"d", {true, -7}}};
  const json::object before = object;
  EXPECT_EQ(repair_json(object), "");
  EXPECT_EQ(object, before);
}

}  // namespace
}  // namespace hearth::base
