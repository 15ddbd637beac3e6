// SPDX-License-Identifier: Apache-2.0
#include "base/log/repeated_log.h"

#include <fmt/format.h>

#include <bit>

#include "base/log/log.h"

namespace hearth::base {

void RepeatedLog::log(std::string_view item, std::string_view text, Severity severity) {
  std::string line = fmt::format("{}: {}", item, text);
  const std::string key = line;
  log_as(key, std::move(line), severity);
}

void RepeatedLog::log_as(std::string_view key, std::string line, Severity severity) {
  std::string known(key.substr(0, kMaxKey));
  if (counts_.size() >= kMost && !counts_.contains(known)) counts_.clear();
  const std::uint64_t count = ++counts_[std::move(known)];
  if (!std::has_single_bit(count)) return;
  if (count > 1) line += fmt::format(" ({} times by now)", count);
  if (severity == Severity::error)
    log_error(component_, "{}", line);
  else
    log_warning(component_, "{}", line);
}

std::uint64_t RepeatedLog::count(std::string_view begin) const {
  std::uint64_t all = 0;
  for (const auto& [key, count] : counts_) {
    if (key.starts_with(begin)) all += count;
  }
  return all;
}

}  // namespace hearth::base
