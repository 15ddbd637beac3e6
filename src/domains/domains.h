// SPDX-License-Identifier: Apache-2.0
// All domains: the kinds of entities there are, with their services, and the entities themselves. Bus thread, but for
// construction and destruction, which need the bus stopped or not started.
#pragma once

#include <list>
#include <set>
#include <string>

#include "domains/domain_services.h"
#include "domains/entity_table.h"
#include "domains/platform/platform_services.h"

namespace hearth::domains {

class Domains {
 public:
  explicit Domains(core::Hub& hub);

  EntityTable& entities() { return entities_; }
  Failures& failures() { return failures_; }

  // The domains that run, the integrations that brought entities, and what they brought as integration.domain.
  std::set<std::string> component_names() const;

 private:
  Failures failures_;
  EntityTable entities_;
  PlatformServices platform_;
  std::list<DomainServices> services_;
  std::set<std::string> names_;
};

}  // namespace hearth::domains
