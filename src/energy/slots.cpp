// SPDX-License-Identifier: Apache-2.0
#include "energy/slots.h"

#include <algorithm>

namespace hearth::energy {

Slots Slots::of(base::Timestamp start, base::Timestamp end, base::Duration length) {
  std::vector<base::Timestamp> bounds{start};
  while (bounds.back() < end || bounds.size() < 2) bounds.push_back(bounds.back() + length);
  return Slots(std::move(bounds));
}

std::optional<std::size_t> Slots::find(base::Timestamp time) const {
  if (time < bounds_.front() || time >= bounds_.back()) return {};
  return static_cast<std::size_t>(std::ranges::upper_bound(bounds_, time) - bounds_.begin()) - 1;
}

std::size_t Slots::first_from(base::Timestamp time) const {
  return std::min(static_cast<std::size_t>(std::ranges::lower_bound(bounds_, time) - bounds_.begin()), size());
}

}  // namespace hearth::energy
