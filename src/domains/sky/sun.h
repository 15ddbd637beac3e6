// SPDX-License-Identifier: Apache-2.0
// The entity sun.sun: where the sun is at the home, and when it rises, sets and so on. Bus thread, except construction
// and destruction, which need the bus stopped or not started.
#pragma once

#include <array>
#include <optional>

#include "core/hub.h"
#include "domains/entities/entity_table.h"
#include "domains/entities/thing.h"
#include "domains/sky/sun_times.h"

namespace hearth::domains {

class SunEntity {
 public:
  // Both must outlive this. The entity comes when the home starts, and follows its place.
  SunEntity(core::Hub& hub, EntityTable& entities);

 private:
  void add();
  void show();
  // Computes passed times, or all if the home has moved, anew.
  void find_times(base::Timestamp now);
  // As of now; waits for the next change.
  Report report();

  core::Hub& hub_;
  EntityTable& entities_;
  Thing* thing_ = nullptr;
  Place place_;  // of which they are:
  base::Timestamp found_at_{};
  std::array<std::optional<base::Timestamp>, 6> times_{};  // of the next dawn and so on; null if there is none
  core::Timer next_;
  core::Subscription start_, moves_;
};

}  // namespace hearth::domains
