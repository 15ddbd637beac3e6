// SPDX-License-Identifier: Apache-2.0
#include "automation/home/repeated_errors.h"

#include <fmt/format.h>

#include <bit>

#include "base/log/log.h"

namespace hearth::automation {

void RepeatedErrors::log(std::string_view item, std::string_view text, Severity severity) {
  std::string line = fmt::format("{}: {}", item, text);
  std::string key = line.substr(0, kMaxKey);
  if (counts_.size() >= kMost && !counts_.contains(key)) counts_.clear();
  const std::uint64_t count = ++counts_[std::move(key)];
  if (!std::has_single_bit(count)) return;
  if (count > 1) line += fmt::format(" ({} times by now)", count);
  if (severity == Severity::error)
    base::log_error("automation", "{}", line);
  else
    base::log_warning("automation", "{}", line);
}

std::uint64_t RepeatedErrors::count(std::string_view begin) const {
  std::uint64_t all = 0;
  for (const auto& [key, count] : counts_) {
    if (key.starts_with(begin)) all += count;
  }
  return all;
}

}  // namespace hearth::automation
