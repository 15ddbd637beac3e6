// SPDX-License-Identifier: Apache-2.0
#include "auth/accounts/lasting_failure.h"

#include "base/log/log.h"

namespace hearth::auth {

void LastingFailure::note(const base::Result<void>& tried, base::SteadyTime now) {
  if (tried) {
    if (said_) base::log_info("auth", "{}", healed_);
    said_.reset();
  } else if (!said_ || now - *said_ >= kAgain) {
    base::log_error("auth", "{}", tried.error().message);
    said_ = now;
  }
}

}  // namespace hearth::auth
