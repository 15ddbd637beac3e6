// SPDX-License-Identifier: Apache-2.0
#include "api/history/earlier.h"

#include <gtest/gtest.h>

#include "api/history/earlier_changes.h"
#include "api/history/statistics/earlier_periods.h"

namespace hearth::api {
namespace {

base::Timestamp at_second(int number) {
  return base::Timestamp(std::chrono::seconds(1'700'000'000 + number));
}

Earlier earlier_rows(std::string_view rows, base::Timestamp until) {
  return {base::parse_json(rows).value().as_array(), until};
}

TEST(EarlierChanges, AreThoseBeforeTheFirstHereInTheirOrder) {
  const auto list = changes_of(earlier_rows(R"([{"s":"two","a":{"x":1},"lc":1700000001.5,"lu":1700000002},
      {"s":"one","lu":1700000001},{"s":"late","a":{},"lu":1700000010},{"s":1,"lu":1700000003},{"a":{}},7,
      {"s":"never","lu":"soon"},{"s":"future","lu":1e300},{"s":"odd","a":[1],"lc":1700000009,"lu":1700000004}])",
                                            at_second(10)));
  const auto changes = list.changes();
  ASSERT_EQ(changes.size(), 3u);
  EXPECT_EQ(changes[0].value, "one");
  EXPECT_EQ(changes[0].attributes, "{}");
  EXPECT_EQ(changes[1].value, "two");
  EXPECT_EQ(changes[1].attributes, R"({"x":1})");
  EXPECT_EQ(changes[1].changed, at_second(1) + std::chrono::milliseconds(500));
  EXPECT_EQ(changes[2].changed, changes[2].updated);  // never after it
}

TEST(EarlierPeriods, GoOnInTheSumsHere) {
  const auto earlier = earlier_rows(R"([{"start":1700000000000,"end":1700003600000,"sum":100,"change":4,"mean":null},
      {"start":1700003600000,"end":1700007200000,"sum":103,"change":3},
      {"start":1700007200000,"end":1700010800000,"sum":109,"change":6},
      {"start":"2023-11-14T22:13:20+00:00","end":"2023-11-14T22:13:19+00:00","sum":1},{"start":{}},1])",
                                    at_second(99'999));
  // The third period begins here already.
  EXPECT_EQ(
      rows_of(earlier, at_second(7'200), {"change", "mean", "sum"}, 5),
      (std::vector<std::string>{R"({"start":1700000000000,"end":1700003600000,"change":4.0,"mean":null,"sum":2.0})",
                                R"({"start":1700003600000,"end":1700007200000,"change":3.0,"sum":5.0})"}));
  EXPECT_EQ(rows_of(earlier, at_second(7'200), {"sum"}, {}).size(), 2u);
  EXPECT_TRUE(rows_of(earlier, at_second(0), {"sum"}, {}).empty());
}

}  // namespace
}  // namespace hearth::api
