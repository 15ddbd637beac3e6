// SPDX-License-Identifier: Apache-2.0
// sensor.hearth_bytes_written_today: what the hub has written to the disk since midnight (UTC), all of it, as the
// system counts it; with how the recorder is in its attributes. And the event recorder_health where that changes.
//
// Start and stop: the bus thread. It must not be destroyed while the bus runs and the timer is due.
#pragma once

#include <cstdint>
#include <optional>

#include "core/hub.h"
#include "recorder/recorder.h"

namespace hearth::app {

class WriteBudget {
 public:
  static constexpr base::Duration kInterval = std::chrono::minutes(5);

  // Both must outlive it.
  WriteBudget(core::Hub& hub, recorder::Recorder& recorder) : hub_(hub), recorder_(recorder) {}

  // Goes on from what the sensor showed before the restart, if that was today.
  void start();
  // Reports once more and then never.
  void stop();

  // Any thread. For Recorder::on_health.
  void health_changed(const recorder::Recorder::Health& health);

 private:
  void report();
  std::int64_t today() const;

  core::Hub& hub_;
  recorder::Recorder& recorder_;
  std::int64_t day_ = 0;
  std::uint64_t before_ = 0;   // written today, but not by this run
  std::uint64_t counted_ = 0;  // what the system had counted for this run when the day began
  core::Timer timer_;
};

// Bytes that this process has caused to be written to the disk; nothing where the system does not say.
std::optional<std::uint64_t> written_bytes();

}  // namespace hearth::app
