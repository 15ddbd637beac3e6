// SPDX-License-Identifier: Apache-2.0
#include "automation/kept_conditions.h"

#include "automation/references.h"

namespace hearth::automation {

KeptConditions keep_conditions(const Item& item, Home& home) {
  KeptConditions kept;
  for (const DelegatedForm& form : delegated_conditions_of(item)) {
    kept.push_back(std::make_unique<AskedOfHub>(
        home.hub, form.device_id,
        [written = form.written](core::DeviceDelegate& delegate) { return delegate.keep(written); }));
  }
  return kept;
}

}  // namespace hearth::automation
