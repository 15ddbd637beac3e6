// SPDX-License-Identifier: Apache-2.0
#include "automation/home/states_at_event.h"

namespace hearth::automation {

const templates::PastStates* StatesAtEvent::at(std::uint64_t event) {
  const std::uint64_t written = hub_.states.snapshot()->sequence();
  if (written <= event) {
    forget();
    return nullptr;
  }
  // The present has moved on: what it holds must be in the difference.
  if (written > newest_ && !load(newest_ > 0 ? newest_ : event)) {
    forget();
    return nullptr;
  }
  for (; !later_.empty() && later_.front()->sequence <= event; later_.pop_front()) {
    const core::StateChange& change = *later_.front()->state_change();
    past_[std::string(change.entity_id())] = change.new_state;
  }
  return &past_;
}

bool StatesAtEvent::load(std::uint64_t after) {
  auto resumed = hub_.bus.resume({{std::string(core::event_type::kStateChanged)}}, *this, after);
  if (!resumed.complete) return false;
  newest_ = resumed.subscription.start();
  for (core::EventPtr& each : resumed.missed) {
    const core::StateChange* const change = each->state_change();
    if (!change) continue;                                  // a client's event of that name
    past_.emplace(change->entity_id(), change->old_state);  // unless an earlier change is known
    later_.push_back(std::move(each));
  }
  return true;
}

void StatesAtEvent::forget() {
  later_.clear();
  past_.clear();
  newest_ = 0;
}

}  // namespace hearth::automation
