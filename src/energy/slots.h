// SPDX-License-Identifier: Apache-2.0
// A span of time in pieces that follow each other: quarters of an hour, or the bars of a chart. Immutable; any thread.
#pragma once

#include <optional>
#include <vector>

#include "base/clock.h"

namespace hearth::energy {

class Slots {
 public:
  // REQUIRES: two at least, rising.
  explicit Slots(std::vector<base::Timestamp> bounds) : bounds_(std::move(bounds)) {}
  // As many of that length as reach the end.
  static Slots of(base::Timestamp start, base::Timestamp end, base::Duration length);

  std::size_t size() const { return bounds_.size() - 1; }
  base::Timestamp start(std::size_t slot) const { return bounds_[slot]; }
  base::Timestamp end() const { return bounds_.back(); }
  // Null outside of all.
  std::optional<std::size_t> find(base::Timestamp time) const;
  // The first that does not begin before that time; size() if there is none.
  std::size_t first_from(base::Timestamp time) const;

 private:
  std::vector<base::Timestamp> bounds_;
};

}  // namespace hearth::energy
