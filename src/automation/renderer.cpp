// SPDX-License-Identifier: Apache-2.0
#include "automation/renderer.h"

namespace hearth::automation {

std::expected<templates::Value, templates::Failure> Renderer::evaluate(const templates::Template& code,
                                                                       const templates::Variables& variables,
                                                                       templates::Dependencies* seen) const {
  templates::Environment environment;
  if (home_) {
    environment.home = &*home_;
    environment.past = past_;
    environment.clock = &home_->clock();
    environment.zone = templates::Zone::of(home_->config()->time_zone);
  }
  if (imports_) environment.imports = imports_();
  environment.dependencies = seen;
  return code.evaluate(environment, variables);
}

}  // namespace hearth::automation
