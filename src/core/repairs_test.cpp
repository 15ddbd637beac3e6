// SPDX-License-Identifier: Apache-2.0
#include "core/repairs.h"

#include <gtest/gtest.h>

#include "base/clock.h"

namespace hearth::core {
namespace {

using Severity = Issue::Severity;

struct RepairsTest : testing::Test {
  std::vector<std::string> told;
  base::ManualClock clock;
  EventBus bus{clock};
  Repairs repairs{bus, clock};
  Subscription listening = bus.listen(
      event_type::kRepairsUpdated, [this](const Event& event) { told.push_back(std::get<std::string>(event.data)); });

  std::vector<std::string> events() {
    bus.run_pending();
    return std::exchange(told, {});
  }
};

const Issue kDisk{"hearth", "disk_low", "disk_low", Severity::warning, {{"free", "1"}}};
const Issue kDemo{"demo", "setup_failed", "setup_failed", Severity::error};

TEST_F(RepairsTest, TellsWhatComesChangesAndGoes) {
  repairs.set({kDisk});
  const auto since = repairs.list()->front().since;
  EXPECT_EQ(events(), std::vector<std::string>{R"({"action":"create","domain":"hearth","issue_id":"disk_low"})"});
  clock.advance(std::chrono::seconds(5));
  repairs.set({kDisk});
  EXPECT_EQ(events(), std::vector<std::string>());
  Issue less = kDisk;
  less.details["free"] = "0";
  repairs.set({less, kDemo});
  EXPECT_EQ(events().size(), 2u);
  ASSERT_EQ(repairs.list()->size(), 2u);
  EXPECT_EQ(repairs.list()->front().id, "setup_failed");  // the graver one
  EXPECT_EQ(repairs.list()->back().since, since);
  repairs.set({});
  EXPECT_EQ(events(), (std::vector<std::string>{R"({"action":"remove","domain":"demo","issue_id":"setup_failed"})",
                                                R"({"action":"remove","domain":"hearth","issue_id":"disk_low"})"}));
}

TEST_F(RepairsTest, KeepsTheGravestOfTooMany) {
  std::vector<Issue> many;
  for (std::size_t i = 0; i < 2 * Repairs::kMaxIssues; ++i) {
    many.push_back(kDisk);
    many.back().id = std::to_string(i);
  }
  many.push_back(kDemo);
  repairs.set(many);
  EXPECT_EQ(repairs.list()->size(), Repairs::kMaxIssues);
  EXPECT_EQ(repairs.list()->front().id, "setup_failed");
}

}  // namespace
}  // namespace hearth::core
