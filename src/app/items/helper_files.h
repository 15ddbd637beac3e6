// SPDX-License-Identifier: Apache-2.0
// Puts the helpers and zones of the configuration in force, and tells what is wrong with them. Bus thread only, except
// where noted.
#pragma once

#include <memory>
#include <vector>

#include "automation/engine.h"
#include "automation/items/helper_parser.h"
#include "base/threads/published.h"
#include "domains/domains.h"

namespace hearth::app {

class HelperFiles {
 public:
  // Both must outlive this.
  HelperFiles(core::Hub& hub, domains::Domains& domains)
      : hub_(hub), helpers_(hub, domains.entities()), zones_(domains.zones()) {}

  // <helper>.reload of each, and zone.reload. Once, while the bus does not run.
  void add_services(automation::Engine::Reload reload);
  // As FileHelpers::use.
  void use(core::Journal& journal) { helpers_.use(journal); }
  void apply(const automation::HelperConfiguration& configuration);

  // Any thread.
  std::shared_ptr<const std::vector<automation::Fault>> faults() const { return faults_.load(); }

 private:
  core::Hub& hub_;
  domains::FileHelpers helpers_;
  domains::Zones& zones_;
  base::Published<std::vector<automation::Fault>> faults_{std::make_shared<const std::vector<automation::Fault>>()};
  std::vector<core::Registration> registrations_;
};

}  // namespace hearth::app
