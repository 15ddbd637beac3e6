// SPDX-License-Identifier: Apache-2.0
// The severity of a line of the log.
#pragma once

#include <string_view>

namespace hearth::base {

enum class LogLevel { debug, info, warning, error };

constexpr std::string_view to_string(LogLevel level) {
  switch (level) {
    case LogLevel::debug:
      return "debug";
    case LogLevel::info:
      return "info";
    case LogLevel::warning:
      return "warning";
    case LogLevel::error:
      return "error";
  }
  return "error";
}

}  // namespace hearth::base
