// SPDX-License-Identifier: Apache-2.0
#include "automation/home/run_queue.h"

#include <algorithm>

#include "base/log/log.h"

namespace hearth::automation {

void RunQueue::add(Place place, Begin begin) {
  place.number = ++last_number_;
  waiting_.push_back({place, std::move(begin)});
  if (waiting_.size() > 1) return;
  bus_.post([alive = std::weak_ptr(alive_)] {
    if (const auto self = alive.lock()) (*self)->run();
  });
}

void RunQueue::run() {
  std::vector<Waiting> due = std::exchange(waiting_, {});
  std::ranges::sort(due, {}, &Waiting::place);
  for (const Waiting& each : due) {
    try {
      each.begin();
    } catch (const std::exception& failure) {
      base::log_error("automation", "a run cannot begin: {}", failure.what());
    }
  }
}

}  // namespace hearth::automation
