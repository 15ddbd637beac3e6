// SPDX-License-Identifier: Apache-2.0
#include "app/stops.h"

#include "base/log/guarded.h"

namespace hearth::app {
namespace {

constexpr std::string_view kWork = "a part of the stop";

}  // namespace

void Stops::run() {
  while (!pushed_.empty()) {
    const bool on_bus = pushed_.back().on_bus;
    std::vector<Stop> next;
    do {
      next.push_back(std::move(pushed_.back().stop));
      pushed_.pop_back();
    } while (on_bus && !pushed_.empty() && pushed_.back().on_bus);
    const auto stop_next = [&next] {
      for (const Stop& stop : next) base::run_guarded("hub", kWork, stop);
    };
    if (on_bus)
      base::run_guarded("hub", kWork, [&] { on_bus_(stop_next); });
    else
      stop_next();
  }
}

}  // namespace hearth::app
