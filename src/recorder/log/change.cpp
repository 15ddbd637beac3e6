// SPDX-License-Identifier: Apache-2.0
#include "recorder/log/change.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace hearth::recorder {

void sort_by_time(std::vector<Change>& changes) {
  if (std::ranges::is_sorted(changes, {}, &Change::updated)) return;
  std::vector<std::size_t> order(changes.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair(changes[i].updated, i); });
  std::vector<Change> sorted;
  sorted.reserve(changes.size());
  for (const std::size_t i : order) sorted.push_back(changes[i]);
  changes = std::move(sorted);
}

std::string_view ChangeList::keep(std::string_view text) {
  if (text.empty()) return {};
  auto* const place = static_cast<char*>(texts_->allocate(text.size(), 1));
  std::memcpy(place, text.data(), text.size());
  return {place, text.size()};
}

void ChangeList::add(const Change& change) {
  const Change* const last = changes_.empty() ? nullptr : &changes_.back();
  const auto copy = [&](std::string_view Change::* part) {
    return last && (last->*part) == change.*part ? last->*part : keep(change.*part);
  };
  Change kept = change;
  kept.value = copy(&Change::value);
  kept.attributes = copy(&Change::attributes);
  kept.context_id = copy(&Change::context_id);
  kept.parent_id = copy(&Change::parent_id);
  kept.user_id = copy(&Change::user_id);
  changes_.push_back(kept);
}

void ChangeList::reverse() {
  std::ranges::reverse(changes_);
}

}  // namespace hearth::recorder
