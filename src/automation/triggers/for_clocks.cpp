// SPDX-License-Identifier: Apache-2.0
#include "automation/triggers/for_clocks.h"

#include "automation/values/stored_value.h"
#include "base/json/json_fields.h"

namespace hearth::automation {

ForClocks::ForClocks(Home& home, std::string place, Ended ended, IsAway is_away)
    : home_(home), place_(std::move(place)), ended_(std::move(ended)), is_away_(std::move(is_away)) {
  if (place_.empty()) return;
  if (ForClocks* const former = home_.for_clocks.replace(place_, this)) {
    for (auto& [id, clock] : std::exchange(former->clocks_, {})) restore(id, std::move(clock));
  }
  for (const auto& [entity_id, stored] : home_.store.extract_all(keys::clocks(place_))) {
    Clock clock{state_from_stored(base::value_at(stored, "from")), state_from_stored(base::value_at(stored, "to")),
                base::Duration(base::number_at(stored, "time"))};
    clock.due = base::Timestamp(base::Duration(base::number_at(stored, "due")));
    if (stored.contains("cause")) clock.cause = context_from_stored(stored.at("cause"));
    restore(entity_id, std::move(clock));
  }
}

ForClocks::~ForClocks() {
  if (place_.empty()) return;
  end_all();
  home_.for_clocks.leave(place_, this);
}

void ForClocks::put(const std::string& entity_id, const Clock& clock) const {
  if (place_.empty() || !home_.store.is_durable()) return;
  json::object entry{{"from", to_stored(clock.from)},
                     {"to", to_stored(clock.to)},
                     {"time", clock.time.count()},
                     {"due", clock.due.time_since_epoch().count()}};
  if (clock.cause) entry["cause"] = to_stored(*clock.cause);
  home_.store.keep(clock.to);
  home_.store.put(key_of(entity_id), base::to_json(entry));
}

void ForClocks::begin(std::string_view entity_id, Clock clock, const Moment& moment) {
  const std::string id(entity_id);
  if (clock.time.count() == 0) return ended_(id, clock, moment);
  clock.due = home_.hub.clock.now() + clock.time;
  put(id, clock);
  clocks_[id] = std::move(clock);
  arm(id);
}

void ForClocks::restore(std::string entity_id, Clock clock) {
  const auto taken = clocks_.insert_or_assign(std::move(entity_id), std::move(clock)).first;
  const std::string& id = taken->first;
  const core::RunState state = home_.hub.run_state;
  if (state != core::RunState::not_running && state != core::RunState::starting) return arm(id);
  // A clock that has run out meanwhile waits until everything is set up.
  if (started_) return;
  started_ = home_.hub.bus.listen(core::event_type::kPlatformStarted, [this](const core::Event&) {
    std::vector<std::string> ids;
    for (const auto& [each, waiting] : clocks_) ids.push_back(each);
    for (const std::string& each : ids) arm(each);
    started_ = {};
  });
}

void ForClocks::arm(const std::string& entity_id) {
  const auto found = clocks_.find(entity_id);
  if (found == clocks_.end()) return;
  Clock& clock = found->second;
  const base::Duration left = std::max(base::Duration(0), clock.due - home_.hub.clock.now());
  clock.timer = home_.hub.bus.schedule(left, [this, id = entity_id] { due(id, home_.now()); });
}

bool ForClocks::is_restored(const std::string& entity_id) const {
  const core::StatePtr state = home_.hub.states.find(entity_id);
  return state && state->attributes().contains("restored");
}

void ForClocks::due(const std::string& entity_id, const Moment& moment) {
  const auto found = clocks_.find(entity_id);
  if (found == clocks_.end()) return;
  if (is_away_ && is_away_(entity_id)) {
    found->second.unconfirmed = true;
    return;
  }
  if (is_restored(entity_id)) {
    found->second.unconfirmed = true;
    if (confirmed_) return;
    confirmed_ =
        home_.events.listen({std::string(core::event_type::kStateConfirmed)}, [this](const core::Event& event) {
          const core::StateChange* const change = event.by_client ? nullptr : event.state_change();
          if (!change) return;
          const std::string id(change->entity_id());
          if (const Clock* const clock = find(id); clock && clock->unconfirmed) due(id, home_.now());
        });
    return;
  }
  const Clock ended = std::move(found->second);
  end(entity_id);
  ended_(entity_id, ended, moment);
}

const ForClocks::Clock* ForClocks::find(std::string_view entity_id) const {
  const auto found = clocks_.find(entity_id);
  return found == clocks_.end() ? nullptr : &found->second;
}

void ForClocks::go_on(std::string_view entity_id, const Moment& moment) {
  const auto found = clocks_.find(entity_id);
  if (found == clocks_.end()) return;
  if (found->second.stopped) {
    Clock again = std::move(found->second);
    again.stopped = again.unconfirmed = false;
    begin(entity_id, std::move(again), moment);
  } else if (found->second.unconfirmed) {
    due(std::string(entity_id), moment);
  }
}

void ForClocks::stop(std::string_view entity_id) {
  const auto found = clocks_.find(entity_id);
  if (found == clocks_.end()) return;
  found->second.stopped = true;
  found->second.timer = {};
  if (!place_.empty()) home_.store.forget(key_of(entity_id));
}

void ForClocks::end(std::string_view entity_id) {
  const auto found = clocks_.find(entity_id);
  if (found == clocks_.end()) return;
  if (!place_.empty()) home_.store.forget(key_of(entity_id));
  clocks_.erase(found);
}

void ForClocks::end_all() {
  while (!clocks_.empty()) end(std::string(clocks_.begin()->first));
}

}  // namespace hearth::automation
