// SPDX-License-Identifier: Apache-2.0
#include "app/import_ha/import_progress.h"

#include <gtest/gtest.h>

#include <vector>

namespace hearth::app {
namespace {

using Progress = ImportProgress::State;

TEST(ImportProgress, OneIsUnderWayAtATime) {
  ImportProgress progress;
  EXPECT_TRUE(progress.begin(Progress::looking, "upload:a"));
  EXPECT_FALSE(progress.begin(Progress::working, "upload:b"));
  progress.end(Progress::failed, "it is no backup", {});
  EXPECT_EQ(R"({"state":"failed","source":"upload:a","error":"it is no backup"})", base::to_json(progress.to_json()));
  EXPECT_TRUE(progress.begin(Progress::working, "upload:b"));
  progress.end(Progress::ready, {}, {});
  EXPECT_EQ(R"({"state":"ready","source":"upload:b"})", base::to_json(progress.to_json()));
  EXPECT_TRUE(progress.begin(Progress::working, "upload:b"));
  progress.end(Progress::restarting, {}, {});
  EXPECT_FALSE(progress.begin(Progress::looking, "upload:b"));
  EXPECT_FALSE(progress.told_restart());
  progress.to_json();
  EXPECT_TRUE(progress.told_restart());
}

TEST(ImportProgress, TellsEachNewStepToThoseWhoFollow) {
  ImportProgress progress;
  std::vector<std::string> told;
  auto following = progress.follow([&](const json::object& event) { told.push_back(base::to_json(event)); });
  ASSERT_TRUE(progress.begin(Progress::working, "upload:a"));
  progress.step("users", 0, 0);
  progress.step("history", 10, 100);
  for (int i = 11; i < 100; ++i) progress.step("history", static_cast<std::uint64_t>(i), 100);
  EXPECT_EQ(
      R"({"state":"working","source":"upload:a","step":"history","done":99,"of":100,"rows":99,"seconds_left":null})",
      base::to_json(progress.to_json()));
  progress.end(Progress::ready, {}, json::object{{"report", json::object()}});
  ASSERT_GE(told.size(), 3U);
  EXPECT_LT(told.size(), 50U);  // not each row
  EXPECT_EQ(R"({"step":"users","done":0,"of":0,"rows":0,"seconds_left":null})", told[0]);
  EXPECT_EQ(R"({"step":"history","done":10,"of":100,"rows":10,"seconds_left":null})", told[1]);
  EXPECT_EQ(R"({"report":{}})", told.back());
  const std::size_t count = told.size();
  following.reset();
  progress.end(Progress::idle, {}, json::object{{"report", json::object()}});
  EXPECT_EQ(count, told.size());
}

TEST(ImportProgress, AFollowerMayOutliveIt) {
  std::shared_ptr<void> following;
  {
    ImportProgress progress;
    following = progress.follow([](const json::object&) {});
  }
  following.reset();
}

}  // namespace
}  // namespace hearth::app
