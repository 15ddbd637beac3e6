// SPDX-License-Identifier: Apache-2.0
#include "automation/values/renderer.h"

namespace hearth::automation {

std::expected<templates::Value, templates::Failure> Renderer::evaluate(const templates::Template& code,
                                                                       const templates::VariablesView& variables,
                                                                       templates::Dependencies* seen) const {
  templates::Environment environment;
  if (home_) {
    environment.home = &home_->view;
    environment.past = past_;
    environment.clock = &home_->view.clock();
    environment.zone = templates::Zone::of(home_->view.config()->time_zone);
    if (home_->imports) environment.imports = home_->imports();
  }
  environment.dependencies = seen;
  return code.evaluate(environment, variables);
}

void Renderer::note(std::string_view key, const templates::Value& value, const templates::Dependencies& seen) const {
  if (!notes_) return;
  notes_->add_rendered(key, value);
  for (const std::string& id : seen.entities) {
    const auto past = past_ ? past_->find(id) : templates::PastStates::const_iterator();
    notes_->add_state(id, past_ && past != past_->end() ? past->second : home_ ? home_->view.find(id) : nullptr);
  }
}

}  // namespace hearth::automation
