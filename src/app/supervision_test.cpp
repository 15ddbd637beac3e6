// SPDX-License-Identifier: Apache-2.0
#include "app/supervision.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "base/log/log.h"
#include "storage/temporary_folder.h"

namespace hearth::app {
namespace {

TEST(Supervision, KeepsTheLastLinesOfTheLogEachTimeTheBusHangs) {
  const storage::TemporaryFolder folder;
  base::ManualClock clock;
  core::EventBus bus(clock);
  const std::filesystem::path path = folder / "";
  Supervision supervision(bus, path);
  const auto kept = [&] {
    std::ifstream in(path / Supervision::kFile);
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
  };
  const auto has = [&](std::string_view text) {
    return std::ranges::any_of(kept(), [&](const std::string& line) { return line.ends_with(text); });
  };
  for (int i = 0; i < 300; ++i) base::log_info("test", "line {}", i);
  // Runs within a callback of the bus: it holds the bus as long as the clock says.
  const auto hold = [&](std::chrono::milliseconds time) {
    bus.post([&, time] {
      clock.advance(time);
      supervision.watch();
      supervision.watch();
    });
    bus.run_pending();
    supervision.watch();
  };
  hold(std::chrono::milliseconds(4'999));
  EXPECT_TRUE(kept().empty());
  hold(std::chrono::milliseconds(5'000));
  const auto lines = kept();
  ASSERT_EQ(Supervision::kKeptLines, lines.size());
  EXPECT_TRUE(lines.back().contains("the home stands still")) << lines.back();
  EXPECT_TRUE(has("line 299"));
  EXPECT_FALSE(has("line 99"));
  base::log_info("test", "later");
  hold(std::chrono::milliseconds(9'000));
  EXPECT_TRUE(has("later"));
}

}  // namespace
}  // namespace hearth::app
