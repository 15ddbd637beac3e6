// SPDX-License-Identifier: Apache-2.0
// The parts of a site's log that have come, and those that are missing: the greatest number so far, and the gaps below
// it. Values only.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/clock.h"

namespace hearth::archive {

struct Gap {
  std::int64_t after = 0;  // the numbers after it …
  std::int64_t until = 0;  // … up to and including this one are missing
  std::optional<base::SteadyTime> asked_at = {};
};

class LogGaps {
 public:
  // Further ones are joined with their neighbours: asking for what is there already does no harm.
  static constexpr std::size_t kMost = 32;

  explicit LogGaps(std::int64_t until = 0) : until_(until) {}
  // Parts that were missing before. In order.
  void restore(Gap gap) { gaps_.push_back(gap); }

  // A batch with the numbers after the first one, up to and including the other one, is there. True if the gaps are
  // others now.
  bool cover(std::int64_t after, std::int64_t until);

  std::int64_t until() const { return until_; }
  std::span<Gap> gaps() { return gaps_; }
  std::span<const Gap> gaps() const { return gaps_; }

 private:
  std::int64_t until_;
  std::vector<Gap> gaps_;  // by number; they do not touch
};

}  // namespace hearth::archive
