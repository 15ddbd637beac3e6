// SPDX-License-Identifier: Apache-2.0
// All domains: the kinds of entities with their services, and the entities themselves. Bus thread, except construction
// and destruction, which need the bus stopped or not started.
#pragma once

#include <list>
#include <set>
#include <string>

#include "domains/domain_services.h"
#include "domains/entity_table.h"
#include "domains/file_scenes.h"
#include "domains/group_helper.h"
#include "domains/helpers.h"
#include "domains/notifications.h"
#include "domains/platform/platform_services.h"
#include "domains/scenes.h"
#include "domains/sun.h"
#include "domains/trackers.h"
#include "domains/zones.h"

namespace hearth::domains {

class Domains {
 public:
  explicit Domains(core::Hub& hub);

  EntityTable& entities() { return entities_; }
  Failures& failures() { return failures_; }
  Helpers& helpers() { return helpers_; }
  FileScenes& file_scenes() { return file_scenes_; }
  Zones& zones() { return zones_; }

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
  Trackers trackers_;
  Notifications notifications_;
  std::list<DomainServices> services_;
  std::set<std::string> names_;
};

}  // namespace hearth::domains
