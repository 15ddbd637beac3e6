// SPDX-License-Identifier: Apache-2.0
#include "import_ha/report/joined_report.h"

#include <gtest/gtest.h>

#include "import_ha/report/report.h"

namespace hearth::import_ha {
namespace {

TEST(JoinedReport, TakesWhatWasReadAgainAndThePastOfTheFirst) {
  Report first, second;
  first.count("states", Fate::carried, 100);
  first.add({.what = "history_entity", .id = "no entity", .fate = Fate::left});
  first.add({.what = "area", .id = "hall"});
  first.note("The past has a hole.");
  first.attend("no_history", "a", "b");
  second.add({.what = "area", .id = "hall", .fate = Fate::left, .why = Why::duplicate});
  second.add({.what = "area", .id = "cellar"});
  second.attend("no_history", "a", "b");
  second.attend("newer_version", "c", "d");
  const json::object joined = join_reports(first.to_json(), second.to_json());
  const json::object& counts = joined.at("counts").get_object();
  EXPECT_EQ(100, counts.at("states").at("carried").to_number<int>());
  EXPECT_EQ(1, counts.at("history_entities").at("left").to_number<int>());
  EXPECT_EQ(1, counts.at("areas").at("carried").to_number<int>());
  EXPECT_EQ(1, counts.at("areas").at("left").to_number<int>());
  std::string items;
  for (const json::value& item : joined.at("items").get_array()) items += std::string(item.at("id").get_string()) + ",";
  EXPECT_EQ("hall,cellar,no entity,", items);
  EXPECT_EQ(2U, joined.at("attentions").get_array().size());
  EXPECT_EQ(1U, joined.at("notes").get_array().size());
}

}  // namespace
}  // namespace hearth::import_ha
