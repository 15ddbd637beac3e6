// SPDX-License-Identifier: Apache-2.0
// The log: one line for each event, to standard error, with the time, the level and the component; where standard error
// leads to systemd's journal, a record of its own there. Any thread.
#pragma once

#include <fmt/format.h>

#include <chrono>
#include <source_location>
#include <string_view>
#include <type_traits>

#include "base/log/log_level.h"
#include "base/log/recent_log.h"

namespace hearth::base {

// A file and line of our sources; the path starts below src/ and is a literal.
struct LogPlace {
  std::string_view file;
  std::uint32_t line;

  static constexpr LogPlace of(const std::source_location& location) {
    return {from_root(location.file_name()), location.line()};
  }
  static constexpr std::string_view from_root(std::string_view file) {
    const auto root = file.rfind("/src/");
    if (root != std::string_view::npos) file.remove_prefix(root + 1);
    return file;
  }
};

// A format string, checked at compile time, that knows its source line.
template <class... Args>
struct LogFormat {
  template <class Text>
  consteval LogFormat(const Text& text, std::source_location location = std::source_location::current())
      : format(text), place(LogPlace::of(location)) {}

  fmt::format_string<Args...> format;
  LogPlace place;
};

// Lines below this level are dropped. Default info. Forgets the levels of single components.
void set_log_level(LogLevel level);
// The level of one component instead. At most kMaxComponentLevels; false beyond.
constexpr std::size_t kMaxComponentLevels = 64;
bool set_log_level(std::string_view component, LogLevel level);
bool log_enabled(LogLevel level, std::string_view component = {});
// How lines look on standard error. JSON: an object with time, level, part, message, file and line.
enum class LogStyle { text, json };
void set_log_style(LogStyle style);
// While one exists, a thread writes the log: nobody who logs waits for its reader. Its end waits until all is written,
// at most kPatience. One at a time.
class LogThread {
 public:
  static constexpr std::chrono::milliseconds kPatience{500};

  LogThread();
  ~LogThread();
  LogThread(const LogThread&) = delete;
  LogThread& operator=(const LogThread&) = delete;
};
// For ends of the process that run no destructors; also in the handler of a signal. Waits until all is written.
void await_log(std::chrono::milliseconds patience) noexcept;
// The last records of this process.
RecentLog& recent_log();
// A record for which there is no memory is lost: logging never throws.
void write_log(LogLevel level, std::string_view component, std::string_view message,
               LogPlace place = LogPlace::of(std::source_location::current())) noexcept;
void format_log(LogLevel level, std::string_view component, fmt::string_view format, fmt::format_args args,
                LogPlace place) noexcept;
// Each line of a text as an event of its own: all errors of an item.
void log_lines(LogLevel level, std::string_view component, std::string_view text,
               LogPlace place = LogPlace::of(std::source_location::current()));

template <class... Args>
void log(LogLevel level, std::string_view component, LogFormat<std::type_identity_t<Args>...> text, Args&&... args) {
  if (log_enabled(level, component)) {
    format_log(level, component, text.format, fmt::make_format_args(args...), text.place);
  }
}

template <class... Args>
void log_debug(std::string_view component, LogFormat<std::type_identity_t<Args>...> text, Args&&... args) {
  log<Args...>(LogLevel::debug, component, text, std::forward<Args>(args)...);
}
template <class... Args>
void log_info(std::string_view component, LogFormat<std::type_identity_t<Args>...> text, Args&&... args) {
  log<Args...>(LogLevel::info, component, text, std::forward<Args>(args)...);
}
template <class... Args>
[[gnu::cold]] void log_warning(std::string_view component, LogFormat<std::type_identity_t<Args>...> text,
                               Args&&... args) {
  log<Args...>(LogLevel::warning, component, text, std::forward<Args>(args)...);
}
template <class... Args>
[[gnu::cold]] void log_error(std::string_view component, LogFormat<std::type_identity_t<Args>...> text,
                             Args&&... args) {
  log<Args...>(LogLevel::error, component, text, std::forward<Args>(args)...);
}

}  // namespace hearth::base
