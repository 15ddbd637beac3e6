// SPDX-License-Identifier: Apache-2.0
#include "automation/home/moment.h"

#include "automation/home/trace.h"

namespace hearth::automation {

Moment::Moment(core::Hub& hub, const Renderer::Home& templates, std::uint64_t event, const templates::PastStates* past,
               Trace* trace)
    : hub_(hub), templates_(templates), event_(event), past_(past), trace_(trace), renderer_(templates, past, trace) {}

core::StatePtr Moment::find(std::string_view entity_id) const {
  const auto past = past_ ? past_->find(entity_id) : templates::PastStates::const_iterator();
  core::StatePtr state = past_ && past != past_->end() ? past->second : hub_.states.find(entity_id);
  if (trace_) trace_->add_state(entity_id, state);
  return state;
}

domains::Place Moment::place() const {
  const auto config = hub_.config.load();
  return {config->latitude, config->longitude, static_cast<double>(config->elevation)};
}

std::string Moment::entity_id_of(const std::string& reference) const {
  if (reference.contains('.')) return reference;
  const auto registry = hub_.registry.snapshot();
  const core::RegisteredEntity* const entity = registry->find_entity_by_id(reference);
  return entity ? entity->entity_id : reference;
}

}  // namespace hearth::automation
