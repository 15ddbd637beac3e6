// SPDX-License-Identifier: Apache-2.0
#include "archive/log_gaps.h"

#include <algorithm>

namespace hearth::archive {

bool LogGaps::cover(std::int64_t after, std::int64_t until) {
  if (until <= after) return false;
  bool changed = false;
  std::vector<Gap> left;
  for (const Gap& gap : gaps_) {
    if (gap.until <= after || gap.after >= until) {
      left.push_back(gap);
      continue;
    }
    changed = true;
    if (gap.after < after) left.push_back({gap.after, after, gap.asked_at});
    if (gap.until > until) left.push_back({until, gap.until, gap.asked_at});
  }
  if (after > until_) {
    left.push_back({until_, after});
    changed = true;
  }
  until_ = std::max(until_, until);
  if (!changed) return false;
  while (left.size() > kMost) {
    // The two that are nearest to each other.
    std::size_t nearest = 1;
    for (std::size_t i = 2; i < left.size(); ++i) {
      if (left[i].after - left[i - 1].until < left[nearest].after - left[nearest - 1].until) nearest = i;
    }
    left[nearest - 1].until = left[nearest].until;
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(nearest));
  }
  gaps_ = std::move(left);
  return true;
}

}  // namespace hearth::archive
