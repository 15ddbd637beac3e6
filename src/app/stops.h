// SPDX-License-Identifier: Apache-2.0
// Stops all that runs: each part that starts pushes its stop, and the last one that started stops first. One thread.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "base/log/guarded.h"

namespace hearth::app {

class Stops {
 public:
  Stops() = default;
  ~Stops() { run(); }
  Stops(const Stops&) = delete;
  Stops& operator=(const Stops&) = delete;

  void push(std::function<void()> stop) { stops_.push_back(std::move(stop)); }
  // Each once. An exception of one is logged, and the next one runs.
  void run() {
    while (!stops_.empty()) {
      const auto stop = std::move(stops_.back());
      stops_.pop_back();
      base::run_guarded("hub", "a part of the stop", stop);
    }
  }

 private:
  std::vector<std::function<void()>> stops_;
};

}  // namespace hearth::app
