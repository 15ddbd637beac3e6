// SPDX-License-Identifier: Apache-2.0
#include "import_ha/report/report.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace hearth::import_ha {
namespace {

TEST(ReportTest, CountsAddUp) {
  Report report;
  report.add({.what = "entity", .id = "light.a"});
  report.add({.what = "entity",
              .id = "light.hue_1",
              .fate = Fate::reserved,
              .why = Why::no_provider,
              .platform = "hue",
              .instead = "bridge"});
  report.add({.what = "category", .id = "1", .fate = Fate::left, .why = Why::broken});
  report.count("states", Fate::carried, 5);
  report.count("states", Fate::lost, 2);
  EXPECT_EQ(report.counts().at("entities"), (Report::Counts{1, 1, 0, 0}));
  EXPECT_EQ(report.counts().at("categories").left, 1u);
  EXPECT_EQ(report.lost(), 2u);
  const json::object written = report.to_json();
  EXPECT_EQ(written.at("counts").at("states").at("found"), 7u);
  EXPECT_EQ(written.at("items").as_array()[1], (json::value{{"what", "entity"},
                                                            {"id", "light.hue_1"},
                                                            {"fate", "reserved"},
                                                            {"why", "no_provider"},
                                                            {"platform", "hue"},
                                                            {"instead", "bridge"}}));
  ASSERT_NE(report.find("entity", "light.a"), nullptr);
  EXPECT_EQ(report.find("entity", "light.b"), nullptr);
}

TEST(ReportTest, ThePersonReadsAttentionFirstAndEqualReasonsOnce) {
  Report report;
  report.source = {.kind = "folder", .version = "2026.2.3"};
  for (int number = 0; number < 9; ++number) {
    report.add({.what = "entity",
                .id = fmt::format("light.hue_{}", number),
                .fate = Fate::left,
                .why = Why::no_integration,
                .text = "Hearth has no Hue",
                .platform = "hue"});
  }
  report.add({.what = "user", .id = "k", .name = "Kid", .attention = "local_only", .todo = "Activate the account."});
  report.note("changes of the last ten seconds may be missing");
  report.note("changes of the last ten seconds may be missing");
  const std::string text = report.to_text();
  EXPECT_LT(text.find("Needs attention"), text.find("Left behind"));
  EXPECT_NE(text.find("user Kid (k): Activate the account."), std::string::npos) << text;
  EXPECT_NE(text.find("hue: 9 entities - Hearth has no Hue"), std::string::npos) << text;
  EXPECT_NE(text.find("and 3 more"), std::string::npos);
  EXPECT_EQ(text.find("ten seconds"), text.rfind("ten seconds"));
}

}  // namespace
}  // namespace hearth::import_ha
