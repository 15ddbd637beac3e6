// SPDX-License-Identifier: Apache-2.0
// The recorder's configuration. Immutable; any thread.
#pragma once

#include "base/clock.h"
#include "recorder/log/retention.h"

namespace hearth::recorder {

struct RecorderOptions {
  // the longest time that a change waits for its commit; 0: answers wait for it
  base::Duration commit_interval = std::chrono::seconds(1);
  Retention retention;
};

}  // namespace hearth::recorder
