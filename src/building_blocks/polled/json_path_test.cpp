// SPDX-License-Identifier: Apache-2.0
#include "building_blocks/polled/json_path.h"

#include <gtest/gtest.h>

namespace hearth::building_blocks {
namespace {

// The part at the path as JSON, "none", or the error.
std::string at(std::string_view path) {
  const auto read = JsonPath::parse(path);
  if (!read) return read.error().message;
  const json::value whole = base::parse_json(R"({"a": {"b": [1, {"c d": 2}]}, "x-y": 3})").value();
  const json::value* const found = read->find(whole);
  return found ? base::to_json(*found) : "none";
}

TEST(JsonPath, LeadsToAPart) {
  EXPECT_EQ(at("$.a.b[0]"), "1");
  EXPECT_EQ(at("$['a'].b[-1]['c d']"), "2");
  EXPECT_EQ(at("$.x-y"), "3");
  EXPECT_EQ(at("a.b[0]"), "1");
  EXPECT_EQ(at("$.a.[\"b\"].[0]"), "1");
  EXPECT_EQ(at("$.a.b"), R"([1,{"c d":2}])");
}

TEST(JsonPath, LeadsNowhereIfThereIsNoSuchPart) {
  for (const char* const path : {"$.b", "$[0]", "$.a.b.c", "$.a.b[2]", "$.a.b[-3]", "$.x-y[0]"})
    EXPECT_EQ(at(path), "none") << path;
}

TEST(JsonPath, SaysWhereItIsWrong) {
  EXPECT_EQ(at("$.a..b"), "expected a name at byte 4 of the path, such as $.a.b[0]");
  EXPECT_EQ(at("$.a[*]"), "expected a number or a name in quotes at byte 4 of the path, such as $.a.b[0]");
  EXPECT_EQ(at("$.a[0"), "expected ] at byte 5 of the path, such as $.a.b[0]");
  EXPECT_EQ(at("$a"), "expected . or [ at byte 1 of the path, such as $.a.b[0]");
  EXPECT_EQ(at("$.a['b"), "expected a number or a name in quotes at byte 5 of the path, such as $.a.b[0]");
  EXPECT_EQ(at("$.*"), "expected a name at byte 2 of the path, such as $.a.b[0]");
  std::string deep = "$";
  for (std::size_t step = 0; step <= JsonPath::kMaxSteps * 10; ++step) deep += ".a";
  EXPECT_EQ(at(deep), "the path has more than 64 steps");
}

}  // namespace
}  // namespace hearth::building_blocks
