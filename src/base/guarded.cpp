// SPDX-License-Identifier: Apache-2.0
#include "base/guarded.h"

#include "base/log.h"

namespace hearth::base {

void log_failure(std::string_view component, std::string_view work, std::string_view reason) noexcept {
  try {
    log_error(component, "{} failed: {}", work, reason);
  } catch (...) {
    // The work has ended, and that is what counts.
  }
}

}  // namespace hearth::base
