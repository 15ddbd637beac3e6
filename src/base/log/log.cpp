// SPDX-License-Identifier: Apache-2.0
#include "base/log/log.h"

#include <spdlog/details/os.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>

#include "base/json/json.h"
#include "base/log/journal.h"
#include "base/log/log_output.h"
#include "base/log/log_scope.h"
#include "base/mutex.h"
#include "base/text/timestamp.h"
#include "base/text/utf8.h"

namespace hearth::base {
namespace {

spdlog::level::level_enum to_spdlog(LogLevel level) {
  switch (level) {
    case LogLevel::debug:
      return spdlog::level::debug;
    case LogLevel::info:
      return spdlog::level::info;
    case LogLevel::warning:
      return spdlog::level::warn;
    case LogLevel::error:
      return spdlog::level::err;
  }
  return spdlog::level::info;
}

// Never destroyed: its thread may be in a write when the process ends.
LogOutput& output() {
  static LogOutput& instance = *new LogOutput(STDERR_FILENO);
  return instance;
}

// In colours if a terminal shows it.
class Sink : public spdlog::sinks::base_sink<std::mutex> {
 protected:
  void sink_it_(const spdlog::details::log_msg& record) override {
    spdlog::memory_buf_t text;
    formatter_->format(record, text);
    std::string line(text.data(), text.size());
    if (coloured_ && record.color_range_end > record.color_range_start) {
      line.insert(record.color_range_end, "\x1b[0m");
      line.insert(record.color_range_start, colour(record.level));
    }
    output().put(std::move(line));
  }
  void flush_() override {}

 private:
  static const char* colour(spdlog::level::level_enum level) {
    switch (level) {
      case spdlog::level::err:
        return "\x1b[31;1m";
      case spdlog::level::warn:
        return "\x1b[33;1m";
      case spdlog::level::info:
        return "\x1b[32m";
      default:
        return "\x1b[36m";
    }
  }

  const bool coloured_ = spdlog::details::os::in_terminal(stderr) && spdlog::details::os::is_color_terminal();
};

spdlog::logger& logger() {
  static const auto instance = [] {
    auto made = std::make_shared<spdlog::logger>("hearth", std::make_shared<Sink>());
    made->set_pattern("%Y-%m-%d %H:%M:%S.%e %^%-7l%$ %v");
    made->set_level(spdlog::level::debug);
    return made;
  }();
  return *instance;
}

// The levels in force. Most lines need only the least of all; the mutex is taken while components have levels of their
// own.
struct Levels {
  std::atomic<LogLevel> least{LogLevel::info};
  std::atomic<bool> differ{false};
  Mutex mutex;
  LogLevel all __attribute__((guarded_by(mutex))) = LogLevel::info;
  std::map<std::string, LogLevel, std::less<>> components __attribute__((guarded_by(mutex)));
};

Levels& levels() {
  static Levels& instance = *new Levels;  // never destroyed: threads log until the end
  return instance;
}

std::atomic<LogStyle>& style() {
  static std::atomic<LogStyle> current{LogStyle::text};
  return current;
}

// Null unless standard error leads there.
const Journal* journal() {
  static const Journal* const instance = Journal::has(STDERR_FILENO) ? new Journal : nullptr;
  return instance;
}

std::string json_line(const LogRecord& record, const LogScope::About& about) {
  json::object line{{"time", to_string(record.time)},
                    {"level", to_string(record.level)},
                    {"part", record.component},
                    {"message", record.message},
                    {"file", record.file},
                    {"line", record.line}};
  if (!about.entity.empty()) line["entity"] = about.entity;
  if (!about.context.empty()) line["context"] = about.context;
  return to_json(line) + "\n";
}

// A message may quote a client: line breaks, control characters and bytes that are not UTF-8 are escaped.
std::string printable(std::string_view text) {
  const bool utf8 = utf8_length(text).has_value();
  std::string line;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7F && (byte < 0x80 || utf8))
      line += c;
    else
      fmt::format_to(std::back_inserter(line), "\\x{:02x}", byte);
  }
  return line;
}

}  // namespace

void set_log_level(LogLevel level) {
  const MutexLock lock(levels().mutex);
  levels().components.clear();
  levels().all = level;
  levels().differ = false;
  levels().least = level;
}

bool set_log_level(std::string_view component, LogLevel level) {
  const MutexLock lock(levels().mutex);
  auto& components = levels().components;
  if (!components.contains(component) && components.size() >= kMaxComponentLevels) return false;
  components.insert_or_assign(std::string(component), level);
  LogLevel least = levels().all;
  for (const auto& [name, own] : components) least = std::min(least, own);
  levels().least = least;
  levels().differ = true;
  return true;
}

bool log_enabled(LogLevel level, std::string_view component) {
  if (level < levels().least.load(std::memory_order_relaxed)) return false;
  if (!levels().differ.load(std::memory_order_relaxed)) return true;
  const MutexLock lock(levels().mutex);
  const auto own = levels().components.find(component);
  return level >= (own == levels().components.end() ? levels().all : own->second);
}

void set_log_style(LogStyle wanted) {
  style() = wanted;
}

LogThread::LogThread() {
  output().start();
}

LogThread::~LogThread() {
  output().stop(kPatience);
}

void await_log(std::chrono::milliseconds patience) noexcept {
  output().written_within(patience);
}

RecentLog& recent_log() {
  static RecentLog recent;
  return recent;
}

void write_log(LogLevel level, std::string_view component, std::string_view message, LogPlace place) noexcept try {
  const auto now = std::chrono::system_clock::now();
  LogRecord record{std::chrono::time_point_cast<Duration>(now),
                   level,
                   printable(component),
                   printable(message),
                   place.file,
                   place.line};
  const LogScope::About about = LogScope::current();
  const Journal* const kept = journal();
  const bool sent = kept && kept->send(record, about);
  if (!sent && style() == LogStyle::json) {
    output().put(json_line(record, about));
  } else if (!sent) {
    logger().log(now, spdlog::source_loc(), to_spdlog(level), fmt::format("{}: {}", record.component, record.message));
  }
  recent_log().add(std::move(record));
} catch (const std::exception&) {
}

void format_log(LogLevel level, std::string_view component, fmt::string_view format, fmt::format_args args,
                LogPlace place) noexcept {
  try {
    write_log(level, component, fmt::vformat(format, args), place);
  } catch (const std::exception&) {
  }
}

void log_lines(LogLevel level, std::string_view component, std::string_view text, LogPlace place) {
  if (!log_enabled(level, component)) return;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    write_log(level, component, line, place);
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
}

}  // namespace hearth::base
