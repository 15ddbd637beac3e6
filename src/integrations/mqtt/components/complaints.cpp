// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/components/complaints.h"

#include "base/log.h"
#include "base/utf8.h"

namespace hearth::integrations::mqtt {

void Complaints::note(std::string_view who, std::string_view what, std::string_view message) {
  const std::string cause = fmt::format("{}\t{}", who, what);
  auto found = counts_.find(cause);
  if (found == counts_.end()) {
    if (counts_.size() >= kMaxCauses) return;
    found = counts_.emplace(cause, 0).first;
  }
  const std::uint64_t count = ++found->second;
  std::uint64_t step = count;
  while (step % 10 == 0) step /= 10;
  if (step != 1) return;
  const std::string shown = base::utf8_excerpt(base::utf8_repaired(message), 300);
  if (count == 1)
    base::log_warning("mqtt", "{}: {}: {}", who, what, shown);
  else
    base::log_warning("mqtt", "{}: {}: {} ({} times so far)", who, what, shown, count);
}

void Complaints::forget(std::string_view who) {
  const std::string first = fmt::format("{}\t", who);
  auto next = counts_.lower_bound(first);
  while (next != counts_.end() && next->first.starts_with(first)) next = counts_.erase(next);
}

}  // namespace hearth::integrations::mqtt
