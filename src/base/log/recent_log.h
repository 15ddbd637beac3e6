// SPDX-License-Identifier: Apache-2.0
// The last records of the log, for the API and the pages. Any thread.
//
// Bounds: kMaxRecords records and kMaxBytes of text; beyond either, the oldest records go. A record longer than
// kMaxRecordBytes is truncated.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/log/log_level.h"
#include "base/mutex.h"

namespace hearth::base {

struct LogRecord {
  Timestamp time;
  LogLevel level = LogLevel::info;
  std::string component;
  std::string message;         // UTF-8 without control characters
  std::string_view file = {};  // the source file that logged it, from src/ on; a literal
  std::uint32_t line = 0;

  // As logged: `2026-11-21 08:00:00.000 warning http: …`, in local time.
  std::string text() const;
  bool same_message(const LogRecord& other) const {
    return level == other.level && line == other.line && file == other.file && component == other.component &&
           message == other.message;
  }
};

using LogRecordPtr = std::shared_ptr<const LogRecord>;

class RecentLog {
 public:
  static constexpr std::size_t kMaxRecords = 1'000;
  static constexpr std::size_t kMaxBytes = 1 << 20;
  static constexpr std::size_t kMaxRecordBytes = 16 << 10;

  void add(LogRecord record);
  std::vector<LogRecordPtr> records() const;  // oldest first
  void clear();

 private:
  mutable Mutex mutex_;
  std::deque<LogRecordPtr> records_ __attribute__((guarded_by(mutex_)));
  std::size_t bytes_ __attribute__((guarded_by(mutex_))) = 0;
};

}  // namespace hearth::base
