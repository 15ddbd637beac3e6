// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <algorithm>

#include "base/utf8.h"

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

spdlog::logger& logger() {
  static const auto instance = [] {
    auto made = spdlog::stderr_color_mt("hearth");
    made->set_pattern("%Y-%m-%d %H:%M:%S.%e %^%-7l%$ %v");
    made->flush_on(spdlog::level::info);
    return made;
  }();
  return *instance;
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
  logger().set_level(to_spdlog(level));
}

bool log_enabled(LogLevel level) {
  return logger().should_log(to_spdlog(level));
}

RecentLog& recent_log() {
  static RecentLog recent;
  return recent;
}

void write_log(LogLevel level, std::string_view component, std::string_view message, LogPlace place) {
  const auto now = std::chrono::system_clock::now();
  LogRecord record{std::chrono::time_point_cast<Duration>(now),
                   level,
                   printable(component),
                   printable(message),
                   place.file,
                   place.line};
  logger().log(now, spdlog::source_loc(), to_spdlog(level), fmt::format("{}: {}", record.component, record.message));
  recent_log().add(std::move(record));
}

void log_lines(LogLevel level, std::string_view component, std::string_view text, LogPlace place) {
  if (!log_enabled(level)) return;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    write_log(level, component, line, place);
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
}

}  // namespace hearth::base
