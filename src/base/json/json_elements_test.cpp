// SPDX-License-Identifier: Apache-2.0
#include "base/json/json_elements.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/json/json.h"

namespace hearth::base {
namespace {

std::vector<std::string> elements_of(const std::string& array) {
  std::vector<std::string> found;
  for (JsonElements elements(array); !elements.empty();) found.push_back(to_json(parse_json(elements.next()).value()));
  return found;
}

TEST(JsonElements, GivesOneElementAfterTheOther) {
  EXPECT_EQ(elements_of(R"([1, {"a":[2,3],"b":{}} ,[[4],"]"], "x,\"]\\" , null ])"),
            (std::vector<std::string>{"1", R"({"a":[2,3],"b":{}})", R"([[4],"]"])", R"("x,\"]\\")", "null"}));
}

TEST(JsonElements, IsEmptyForAnEmptyArray) {
  EXPECT_TRUE(JsonElements().empty());
  EXPECT_TRUE(elements_of("[]").empty());
  EXPECT_TRUE(elements_of(" \n[ \t] ").empty());
}

TEST(JsonElements, AgreesWithTheParser) {
  const std::string array = R"( [true,"é\u00e9\"",-1.5e3,[],{},[{"[":"]"}],{"\\":[",",{"}":null}]}] )";
  const auto parsed = parse_json(array).value();
  const auto found = elements_of(array);
  ASSERT_EQ(found.size(), parsed.get_array().size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i], to_json(parsed.get_array()[i]));
}

}  // namespace
}  // namespace hearth::base
