// SPDX-License-Identifier: Apache-2.0
#include "net/link/backoff.h"

#include <algorithm>

namespace hearth::net {

std::chrono::milliseconds Backoff::next() {
  pause_ = std::clamp(pause_ * 2, pauses_.first, std::max(pauses_.first, pauses_.longest));
  std::uniform_real_distribution<double> share(1 - kSpread, 1 + kSpread);
  return std::chrono::duration_cast<std::chrono::milliseconds>(pause_ * share(random_));
}

}  // namespace hearth::net
