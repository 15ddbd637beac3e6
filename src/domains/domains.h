// SPDX-License-Identifier: Apache-2.0
// All domains: the kinds of entities with their services, and the entities themselves. Bus thread, except construction
// and destruction, which need the bus stopped or not started.
#pragma once

#include <list>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "domains/entities/domain_services.h"
#include "domains/entities/entity_table.h"
#include "domains/helpers/group_helper.h"
#include "domains/helpers/helpers.h"
#include "domains/people/notifications.h"
#include "domains/people/seen_devices.h"
#include "domains/people/zones.h"
#include "domains/platform/platform_services.h"
#include "domains/scenes/file_scenes.h"
#include "domains/scenes/scenes.h"
#include "domains/sky/sun.h"

namespace hearth::domains {

class Domains {
 public:
  explicit Domains(core::Hub& hub);

  EntityTable& entities() { return entities_; }
  Failures& failures() { return failures_; }
  Helpers& helpers() { return helpers_; }
  FileScenes& file_scenes() { return file_scenes_; }
  Zones& zones() { return zones_; }
  Notifications& notifications() { return notifications_; }

  // A thing that the connections of an integration share: `make` makes it for the first that asks, and it goes with the
  // last that has it. Of one type for each integration.
  template <class Thing, class Make>
  std::shared_ptr<Thing> shared_by(const std::string& integration, Make&& make) {
    std::weak_ptr<void>& known = shared_[integration];
    if (auto there = known.lock()) return std::static_pointer_cast<Thing>(there);
    std::shared_ptr<Thing> made = make();
    known = made;
    return made;
  }

  // The running domains, the integrations with entities, and their entities' domains as integration.domain.
  std::set<std::string> component_names() const;

 private:
  Failures failures_;
  EntityTable entities_;
  PlatformServices platform_;
  Zones zones_;
  SunEntity sun_;
  Helpers helpers_;
  GroupServices groups_;
  Scenes scenes_;
  FileScenes file_scenes_;
  SeenDevices trackers_;
  Notifications notifications_;
  std::list<DomainServices> services_;
  std::set<std::string> names_;
  std::map<std::string, std::weak_ptr<void>> shared_;  // by integration
};

}  // namespace hearth::domains
