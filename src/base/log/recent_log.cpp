// SPDX-License-Identifier: Apache-2.0
#include "base/log/recent_log.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>

#include "base/text/utf8.h"

namespace hearth::base {
namespace {

std::size_t weight(const LogRecord& record) {
  return record.component.size() + record.message.size();
}

}  // namespace

std::string LogRecord::text() const {
  const auto milliseconds = std::chrono::floor<std::chrono::milliseconds>(time);
  const std::time_t seconds = std::chrono::system_clock::to_time_t(std::chrono::floor<std::chrono::seconds>(time));
  std::tm local{};
  localtime_r(&seconds, &local);
  return fmt::format("{:%Y-%m-%d %H:%M:%S}.{:03} {:7} {}: {}", local, milliseconds.time_since_epoch().count() % 1000,
                     to_string(level), component, message);
}

void RecentLog::add(LogRecord record) {
  record.component = utf8_excerpt(record.component);
  record.message = utf8_excerpt(record.message, kMaxRecordBytes);
  auto added = std::make_shared<const LogRecord>(std::move(record));
  std::vector<LogRecordPtr> left;  // freed after the lock
  {
    MutexLock lock(mutex_);
    bytes_ += weight(*added);
    records_.push_back(std::move(added));
    while (records_.size() > kMaxRecords || bytes_ > kMaxBytes) {
      bytes_ -= weight(*records_.front());
      left.push_back(std::move(records_.front()));
      records_.pop_front();
    }
  }
}

std::vector<LogRecordPtr> RecentLog::records() const {
  MutexLock lock(mutex_);
  return {records_.begin(), records_.end()};
}

void RecentLog::clear() {
  std::deque<LogRecordPtr> left;
  MutexLock lock(mutex_);
  left.swap(records_);
  bytes_ = 0;
}

}  // namespace hearth::base
