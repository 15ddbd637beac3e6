// SPDX-License-Identifier: Apache-2.0
// The whole days of a span by the clocks of the home, and when the sun set and rose on them. Immutable; any thread.
#pragma once

#include <optional>
#include <vector>

#include "suggestions/past.h"

namespace hearth::suggestions {

class Days {
 public:
  struct Day {
    base::Timestamp begin, end;
    bool is_weekend = false;
    std::optional<base::Timestamp> sunrise, sunset;
  };

  explicit Days(const Past& past);

  const std::vector<Day>& all() const { return days_; }
  // The day of that time, counted from some day; and its hour, from 0 to 23.
  std::int64_t day_of(base::Timestamp time) const;
  int hour_of(base::Timestamp time) const;
  // True if the sun is down; null if that is not known.
  std::optional<bool> is_dark(base::Timestamp time) const;

 private:
  const templates::Zone zone_;
  const std::vector<base::Timestamp>&sunrises_, &sunsets_;  // of the past, which must outlive this
  std::vector<Day> days_;
};

}  // namespace hearth::suggestions
