// SPDX-License-Identifier: Apache-2.0
#include "automation/home/cause_chain.h"

namespace hearth::automation {

void CauseChain::add(const core::Context& context, const void* item, bool awaited) {
  std::string id(std::string_view(context.id));
  if (!runs_.emplace(id, Entry{context.parent_id, item, awaited}).second) return;
  order_.push_back(std::move(id));
  if (order_.size() <= kMost) return;
  runs_.erase(order_.front());
  order_.pop_front();
}

std::size_t CauseChain::count(const std::optional<base::Id>& context_id, const void* item) const {
  std::size_t count = 0;
  std::optional<base::Id> id = context_id;
  for (std::size_t depth = 0; id && depth < kDeepest; ++depth) {
    const auto found = runs_.find(std::string(std::string_view(*id)));
    if (found == runs_.end()) break;
    if (found->second.item == item) ++count;
    id = found->second.parent_id;
  }
  return count;
}

bool CauseChain::is_awaited_by(const std::optional<base::Id>& context_id, const void* item) const {
  std::optional<base::Id> id = context_id;
  for (std::size_t depth = 0; id && depth < kDeepest; ++depth) {
    const auto found = runs_.find(std::string(std::string_view(*id)));
    if (found == runs_.end()) return false;
    if (found->second.item == item) return true;
    if (!found->second.awaited) return false;
    id = found->second.parent_id;
  }
  return false;
}

}  // namespace hearth::automation
