// SPDX-License-Identifier: Apache-2.0
#include "simulation/simulated_history.h"

#include <algorithm>
#include <set>

namespace hearth::simulation {

void SimulatedHistory::follow(core::Hub& hub, const derived::Configuration& sensors) {
  hub_ = &hub;
  std::set<std::string> sources;
  for (const auto& plan : sensors.plans) sources.insert(plan->sources.begin(), plan->sources.end());
  if (sources.empty()) return;
  const base::Timestamp now = hub.clock.now();
  for (const std::string& id : sources)
    if (core::StatePtr state = hub.states.find(id); state && !states_.contains(id)) add(id, now, std::move(state));
  changes_ = hub.entity_listeners.listen({sources.begin(), sources.end()},
                                         [this](const core::StateChange& change, const core::Event& event) {
                                           add(std::string(change.entity_id()), event.time_fired, change.new_state);
                                         });
}

void SimulatedHistory::leave() {
  changes_ = {};
  hub_ = nullptr;
}

void SimulatedHistory::add(const std::string& entity_id, base::Timestamp at, core::StatePtr state) {
  auto& known = states_[entity_id];
  if (known.size() == kMostStates) known.pop_front();
  known.push_back({at, std::move(state)});
}

void SimulatedHistory::ask(Question question, Answer answer) {
  std::deque<core::StatePtr> found;
  const auto known = states_.find(question.entity_id);
  if (known != states_.end()) {
    for (const Known& each : known->second) {
      if (each.at > question.until) break;
      core::StatePtr state = each.state;
      if (!state)
        state = core::State::create(core::EntityId::parse(question.entity_id).value(), core::kUnavailable, "{}",
                                    {each.at, each.at}, core::Context());
      // Of those before, the last is the state at the beginning.
      if (each.at <= question.from) found.clear();
      if (found.size() == question.most && !found.empty()) found.pop_front();
      found.push_back(std::move(state));
    }
  }
  hub_->bus.post([answer = std::move(answer), states = std::vector(found.begin(), found.end())] { answer(states); });
}

}  // namespace hearth::simulation
