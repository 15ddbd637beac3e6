// SPDX-License-Identifier: Apache-2.0
// sensor.hearth_bytes_written_today: all bytes that the hub has written to disk since midnight (UTC), as the system
// counts them, with the recorder's health in its attributes. Also fires recorder_health when that changes.
//
// Start and stop: on the bus thread. Must not be destroyed while the bus runs and the timer is due.
#pragma once

#include <cstdint>
#include <optional>

#include "core/hub.h"
#include "domains/entities/entity_table.h"
#include "domains/entities/thing.h"
#include "recorder/recorder.h"

namespace hearth::app {

class WriteBudget {
 public:
  static constexpr base::Duration kInterval = std::chrono::minutes(5);

  // All must outlive this.
  WriteBudget(core::Hub& hub, domains::EntityTable& entities, recorder::Recorder& recorder)
      : hub_(hub), entities_(entities), recorder_(recorder) {}

  // Continues from the sensor's last state, if that is of today.
  void start();
  // Reports a last time.
  void stop();

  // Any thread. For Recorder::on_health.
  void health_changed(const recorder::Recorder::Health& health);

 private:
  void report();
  void take_over(const core::RegistryData& registry);
  std::int64_t today() const;

  core::Hub& hub_;
  domains::EntityTable& entities_;
  recorder::Recorder& recorder_;
  domains::Thing* sensor_ = nullptr;
  std::int64_t day_ = 0;
  std::uint64_t before_ = 0;   // written today by earlier runs
  std::uint64_t counted_ = 0;  // the system's count for this run when the day began
  core::Timer timer_;
};

// Bytes that this process caused to be written to disk; null if the system does not say.
std::optional<std::uint64_t> written_bytes();

}  // namespace hearth::app
