// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <thread>
#include <vector>

#include "base/log/recent_log.h"

namespace hearth::base {
namespace {

TEST(RecentLogStress, ReadersSeeEachWritersRecordsInOrderWhileTheyComeAndGo) {
  constexpr int kWriters = 4, kRecords = 5'000;
  RecentLog log;
  std::atomic<int> writing{kWriters};
  std::vector<std::jthread> threads;
  for (int writer = 0; writer < kWriters; ++writer) {
    threads.emplace_back([&, writer] {
      for (int number = 0; number < kRecords; ++number) {
        LogRecord record;
        record.component = std::to_string(writer);
        record.line = static_cast<std::uint32_t>(number);
        record.message.assign(static_cast<std::size_t>(number % 2'000), 'x');
        log.add(std::move(record));
      }
      --writing;
    });
  }
  threads.emplace_back([&] {
    while (writing > 0) log.clear();
  });
  while (writing > 0) {
    std::map<std::string, std::uint32_t> last;
    for (const auto& record : log.records()) {
      const auto [place, first] = last.try_emplace(record->component, record->line);
      if (first) continue;
      ASSERT_LT(place->second, record->line);
      place->second = record->line;
    }
  }
  threads.clear();
  EXPECT_LE(log.records().size(), RecentLog::kMaxRecords);
}

}  // namespace
}  // namespace hearth::base
