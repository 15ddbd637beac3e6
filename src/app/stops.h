// SPDX-License-Identifier: Apache-2.0
// Stops all that runs: each part that starts pushes its stop, and the last one that started stops first. One thread.
#pragma once

#include <functional>
#include <vector>

namespace hearth::app {

class Stops {
 public:
  using Stop = std::function<void()>;
  // Has the bus thread run the task, and returns after it, or if the bus cannot run it any more.
  using OnBus = std::function<void(Stop task)>;

  explicit Stops(OnBus on_bus) : on_bus_(std::move(on_bus)) {}
  ~Stops() { run(); }
  Stops(const Stops&) = delete;
  Stops& operator=(const Stops&) = delete;

  void push(Stop stop) { pushed_.push_back({std::move(stop), false}); }
  // For parts of the bus thread. Those that follow each other stop in one task of the bus, so that none of them hears
  // of the end of another.
  void push_on_bus(Stop stop) { pushed_.push_back({std::move(stop), true}); }
  // Each once. An exception of one is logged, and the next one runs.
  void run();

 private:
  struct Pushed {
    Stop stop;
    bool on_bus;
  };

  const OnBus on_bus_;
  std::vector<Pushed> pushed_;
};

}  // namespace hearth::app
