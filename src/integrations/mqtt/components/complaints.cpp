// SPDX-License-Identifier: Apache-2.0
#include "integrations/mqtt/components/complaints.h"

#include <functional>
#include <utility>

#include "base/log/log.h"
#include "base/text/utf8.h"

namespace hearth::integrations::mqtt {
namespace {

// A topic may have 64 KiB.
std::string name_of(std::string_view who) {
  constexpr std::size_t kMaxName = 300;
  if (who.size() <= kMaxName) return std::string(who);
  return fmt::format("{} {:x}", base::utf8_excerpt(base::utf8_repaired(who), kMaxName),
                     std::hash<std::string_view>()(who));
}

}  // namespace

void Complaints::note(std::string_view who, std::string_view what, std::string_view message) {
  const std::string name = name_of(who);
  const std::string cause = fmt::format("{}\t{}", name, what);
  auto found = counts_.find(cause);
  if (found == counts_.end()) {
    if (counts_.size() >= kMaxCauses) {
      if (!std::exchange(full_, true))
        base::log_warning("mqtt", "further causes are not logged; GET /api/mqtt/discovery has those of discovery");
      return;
    }
    found = counts_.emplace(cause, 0).first;
  }
  const std::uint64_t count = ++found->second;
  std::uint64_t step = count;
  while (step % 10 == 0) step /= 10;
  if (step != 1) return;
  const std::string shown = base::utf8_excerpt(base::utf8_repaired(message), 300);
  if (count == 1)
    base::log_warning("mqtt", "{}: {}: {}", name, what, shown);
  else
    base::log_warning("mqtt", "{}: {}: {} ({} times so far)", name, what, shown, count);
}

void Complaints::forget(std::string_view who) {
  const std::string first = fmt::format("{}\t", name_of(who));
  auto next = counts_.lower_bound(first);
  while (next != counts_.end() && next->first.starts_with(first)) next = counts_.erase(next);
}

}  // namespace hearth::integrations::mqtt
