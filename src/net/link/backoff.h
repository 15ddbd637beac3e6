// SPDX-License-Identifier: Apache-2.0
// How long a link waits before its next attempt: 1, 2, 4 … 60 s, each ± 20 %, so that many do not come at once after
// an outage. One thread.
#pragma once

#include <chrono>
#include <random>

namespace hearth::net {

struct Pauses {
  std::chrono::milliseconds first{1'000};
  std::chrono::milliseconds longest{60'000};
  // How long a connection must work until the next pause is the first one again: longer than a peer lives that fails
  // again and again.
  std::chrono::milliseconds proven{0};
};

class Backoff {
 public:
  explicit Backoff(Pauses pauses, unsigned seed = std::random_device{}()) : pauses_(pauses), random_(seed) {}

  std::chrono::milliseconds next();
  // The next pause is the first one again.
  void reset() { pause_ = {}; }

 private:
  static constexpr double kSpread = 0.2;

  const Pauses pauses_;
  std::minstd_rand random_;
  std::chrono::milliseconds pause_{};  // the last one, without its share of chance; 0 before the first
};

}  // namespace hearth::net
