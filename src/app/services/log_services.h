// SPDX-License-Identifier: Apache-2.0
// logbook.log; logger.set_default_level and logger.set_level, until the next start; system_log.write, for every user,
// and system_log.clear. Users who are no administrators may write kBurst lines at once and another after each
// kInterval, so that a page that fails again and again does not fill the log. Bus thread, except construction and
// destruction.
#pragma once

#include <map>
#include <vector>

#include "core/hub.h"

namespace hearth::app {

class LogServices {
 public:
  static constexpr int kBurst = 20;
  static constexpr base::Duration kInterval = std::chrono::seconds(3);
  static constexpr std::size_t kMaxUsers = 1'000;  // remembered; beyond, the one whose turn comes first is forgotten

  // The hub must outlive this.
  explicit LogServices(core::Hub& hub);

 private:
  void add_logbook();
  void add_levels();
  base::Result<void> write(const core::ServiceCall& call);
  // Counts a line. Fails with throttled.
  base::Result<void> take_turn(const base::Id& user_id);

  core::Hub& hub_;
  std::map<base::Id, base::SteadyTime> full_again_;  // by user: when all of the burst may be written again
  std::vector<core::Registration> registrations_;
};

}  // namespace hearth::app
