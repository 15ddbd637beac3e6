// SPDX-License-Identifier: Apache-2.0
#include "api/history/logbook/logbook_causes.h"

namespace hearth::api {

std::size_t LogbookCauses::Kept::bytes() const {
  constexpr std::size_t kOfMap = 64;
  return sizeof *this + kOfMap + context_id.size() + cause.event_type.size() + cause.domain.size() +
         cause.service.size() + cause.name.size() + cause.entity_id.size() + cause.message.size() +
         cause.trigger.source.size() + cause.trigger.platform.size() + cause.trigger.entity_id.size();
}

void LogbookCauses::put(base::Timestamp when, std::string_view context_id, LogbookCause cause) {
  // The caller of a service says more than the call.
  const LogbookCause* const known = cause.name.empty() ? find(context_id) : nullptr;
  if (known && !known->name.empty()) cause = LogbookCause(*known);
  const Kept& kept = kept_.emplace_back(when, std::string(context_id), std::move(cause));
  bytes_ += kept.bytes();
  by_context_.erase(kept.context_id);  // the key of the one before lives as long as that
  by_context_.emplace(kept.context_id, &kept);
  while (bytes_ > most_ && kept_.size() > 1) forget_first();
}

const LogbookCause* LogbookCauses::find(std::string_view context_id) const {
  const auto found = by_context_.find(context_id);
  return found == by_context_.end() ? nullptr : &found->second->cause;
}

void LogbookCauses::forget_first() {
  const Kept& first = kept_.front();
  bytes_ -= first.bytes();
  const auto found = by_context_.find(first.context_id);
  if (found != by_context_.end() && found->second == &first) by_context_.erase(found);
  kept_.pop_front();
}

void LogbookCauses::forget_before(base::Timestamp when) {
  while (!kept_.empty() && kept_.front().when < when) forget_first();
}

void LogbookCauses::forget_after(base::Timestamp when) {
  while (!kept_.empty() && kept_.back().when > when) {
    const Kept& last = kept_.back();
    bytes_ -= last.bytes();
    const auto found = by_context_.find(last.context_id);
    if (found != by_context_.end() && found->second == &last) by_context_.erase(found);
    kept_.pop_back();
  }
}

void LogbookCauses::clear() {
  by_context_.clear();
  kept_.clear();
  bytes_ = 0;
}

}  // namespace hearth::api
