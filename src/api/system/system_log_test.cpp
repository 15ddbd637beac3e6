// SPDX-License-Identifier: Apache-2.0
#include "api/system/system_log.h"

#include <gtest/gtest.h>

namespace hearth::api {
namespace {

using base::LogLevel;

base::LogRecordPtr record(int second, LogLevel level, std::string message) {
  return std::make_shared<const base::LogRecord>(base::LogRecord{base::Timestamp(std::chrono::seconds(second)), level,
                                                                 "http", std::move(message), "src/http/server.cpp", 7});
}

TEST(SystemLog, SaysTheSameMessageOnceNewestFirst) {
  const std::vector<base::LogRecordPtr> records = {record(1, LogLevel::warning, "a"), record(2, LogLevel::error, "b"),
                                                   record(3, LogLevel::info, "c"), record(4, LogLevel::warning, "a"),
                                                   record(5, LogLevel::error, "a")};
  EXPECT_EQ(base::to_json(log_entries(records, LogLevel::warning)),
            R"([{"name":"http","message":["a"],"level":"ERROR","source":["src/http/server.cpp",7],"timestamp":5.0,)"
            R"("exception":"","count":1,"first_occurred":5.0},)"
            R"({"name":"http","message":["a"],"level":"WARNING","source":["src/http/server.cpp",7],"timestamp":4.0,)"
            R"("exception":"","count":2,"first_occurred":1.0},)"
            R"({"name":"http","message":["b"],"level":"ERROR","source":["src/http/server.cpp",7],"timestamp":2.0,)"
            R"("exception":"","count":1,"first_occurred":2.0}])");
  EXPECT_EQ(log_entries(records, LogLevel::info).size(), 4);
  EXPECT_EQ(log_entries(records, LogLevel::error).size(), 2);
}

TEST(SystemLog, KnowsTheNamesOfLevels) {
  EXPECT_EQ(parse_log_level("info").value(), LogLevel::info);
  EXPECT_EQ(parse_log_level("critical").value(), LogLevel::error);
  EXPECT_EQ(parse_log_level("loud").error().message, "level: expected one of debug, info, warning, error, critical.");
}

}  // namespace
}  // namespace hearth::api
