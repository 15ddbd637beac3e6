// SPDX-License-Identifier: Apache-2.0
#include "base/log/recent_log.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/log/log.h"

namespace hearth::base {
namespace {

LogRecord record(std::string message) {
  LogRecord made;
  made.component = "test";
  made.message = std::move(message);
  return made;
}

TEST(RecentLog, KeepsTheLastRecords) {
  RecentLog log;
  for (std::size_t i = 0; i < RecentLog::kMaxRecords + 5; ++i) log.add(record(std::to_string(i)));
  const auto records = log.records();
  ASSERT_EQ(records.size(), RecentLog::kMaxRecords);
  EXPECT_EQ(records.front()->message, "5");
  EXPECT_EQ(records.back()->message, std::to_string(RecentLog::kMaxRecords + 4));
}

TEST(RecentLog, KeepsNoMoreThanItsBytes) {
  RecentLog log;
  for (int i = 0; i < 200; ++i) log.add(record(fmt::format("{:010000}", i)));
  const auto records = log.records();
  EXPECT_LE(records.size() * 10'000, RecentLog::kMaxBytes);
  EXPECT_GE(records.size() * 10'000, RecentLog::kMaxBytes - 20'000);
  EXPECT_EQ(records.back()->message, fmt::format("{:010000}", 199));
}

TEST(RecentLog, CutsALongRecordBetweenItsCharacters) {
  RecentLog log;
  std::string message = "a";
  for (std::size_t i = 0; i < RecentLog::kMaxRecordBytes; ++i) message += "ä";
  log.add(record(message));
  const std::string kept = log.records().front()->message;
  EXPECT_LE(kept.size(), RecentLog::kMaxRecordBytes + 3);
  EXPECT_TRUE(kept.ends_with("ä…"));
}

TEST(RecentLog, IsEmptyOnceCleared) {
  RecentLog log;
  log.add(record("one"));
  const auto before = log.records();
  log.clear();
  EXPECT_TRUE(log.records().empty());
  EXPECT_EQ(before.front()->message, "one");
  for (std::size_t i = 0; i < RecentLog::kMaxRecords; ++i) log.add(record("more"));
  EXPECT_EQ(log.records().size(), RecentLog::kMaxRecords);
}

TEST(RecentLog, HasWhatIsLoggedWithItsPlace) {
  recent_log().clear();
  log_info("test", "{} and \n and \xff", 5);
  const int line = __LINE__ - 1;
  log_debug("test", "not logged");
  const auto records = recent_log().records();
  ASSERT_EQ(records.size(), 1);
  const LogRecord& last = *records.front();
  EXPECT_EQ(last.message, "5 and \\x0a and \\xff");
  EXPECT_EQ(last.file, "src/base/log/recent_log_test.cpp");
  EXPECT_EQ(last.line, line);
  EXPECT_TRUE(last.text().ends_with(" info    test: 5 and \\x0a and \\xff")) << last.text();
}

TEST(RecentLog, HasEachLineOfATextAlone) {
  recent_log().clear();
  log_lines(LogLevel::warning, "test", "one: {}\n\ntwo\n");
  log_lines(LogLevel::debug, "test", "not\nlogged");
  std::vector<std::string> said;
  for (const auto& record : recent_log().records()) said.push_back(record->message);
  EXPECT_EQ(said, (std::vector<std::string>{"one: {}", "", "two"}));
}

}  // namespace
}  // namespace hearth::base
