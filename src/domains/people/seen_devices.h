// SPDX-License-Identifier: Apache-2.0
// The devices that device_tracker.see reports, such as phones that a router or an app knows, as entities. They are
// restored after a restart, except those that the user has disabled, which can be removed. Bus thread, except
// construction and destruction, which need the bus stopped or not started.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "core/hub.h"
#include "domains/entities/entity_table.h"
#include "domains/entities/thing.h"

namespace hearth::domains {

class SeenDevices {
 public:
  static constexpr std::size_t kMaxDevices = 200;
  // A device that is seen without a position is at home, and away if not seen again for so long.
  static constexpr base::Duration kStaysHome = std::chrono::minutes(3);

  // Both must outlive this.
  SeenDevices(core::Hub& hub, EntityTable& entities);

 private:
  struct Tracker {
    Thing* thing;
    core::Timer leaves = {};
  };

  // Devices of former starts.
  void restore();
  base::Result<void> see(const core::ServiceCall& call);
  base::Result<Tracker*> add(std::string_view id, std::string_view name);
  // The device that the call names, or its id to be.
  base::Result<std::string> id_of(const json::object& data) const;
  void expect(Tracker& tracker);

  core::Hub& hub_;
  EntityTable& entities_;
  std::map<std::string, Tracker, std::less<>> trackers_;  // by dev_id
  core::Registration service_;
  core::Subscription start_;
};

}  // namespace hearth::domains
