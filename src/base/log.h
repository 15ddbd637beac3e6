// SPDX-License-Identifier: Apache-2.0
// The log: one line an event, to standard error, with the time, a level and the part of the hub that speaks. Any
// thread.
#pragma once

#include <fmt/format.h>

#include <string_view>

namespace hearth::base {

enum class LogLevel { debug, info, warning, error };

// Lines below this level are left out. Default info.
void set_log_level(LogLevel level);
bool log_enabled(LogLevel level);
void write_log(LogLevel level, std::string_view component, std::string_view message);

template <class... Args>
void log(LogLevel level, std::string_view component, fmt::format_string<Args...> format, Args&&... args) {
  if (log_enabled(level)) write_log(level, component, fmt::format(format, std::forward<Args>(args)...));
}

template <class... Args>
void log_debug(std::string_view component, fmt::format_string<Args...> format, Args&&... args) {
  log(LogLevel::debug, component, format, std::forward<Args>(args)...);
}
template <class... Args>
void log_info(std::string_view component, fmt::format_string<Args...> format, Args&&... args) {
  log(LogLevel::info, component, format, std::forward<Args>(args)...);
}
template <class... Args>
void log_warning(std::string_view component, fmt::format_string<Args...> format, Args&&... args) {
  log(LogLevel::warning, component, format, std::forward<Args>(args)...);
}
template <class... Args>
void log_error(std::string_view component, fmt::format_string<Args...> format, Args&&... args) {
  log(LogLevel::error, component, format, std::forward<Args>(args)...);
}

}  // namespace hearth::base
