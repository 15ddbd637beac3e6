// SPDX-License-Identifier: Apache-2.0
#include "app/items/helper_files.h"

#include "base/log/log.h"
#include "core/registry/helper_types.h"

namespace hearth::app {

void HelperFiles::add_services(automation::Engine::Reload reload) {
  std::vector<std::string_view> domains{automation::kZoneKey};
  for (const core::CollectionType& type : core::helper_types()) domains.push_back(type.name);
  for (const std::string_view domain : domains) {
    core::ServiceDescription description;
    description.domain = domain;
    description.service = "reload";
    description.name = "Reload";
    description.description =
        domain == automation::kZoneKey ? "Reads the files of zones again." : "Reads the files of helpers again.";
    description.has_target = false;
    description.administrator = true;
    registrations_.push_back(
        hub_.services.add(description, [reload](const core::ServiceCall& call, core::ServiceReply reply) {
          reload(call.context(), std::move(reply));
        }));
  }
}

void HelperFiles::apply(const automation::HelperConfiguration& configuration) {
  std::vector<std::string> errors = automation::errors_of(configuration);
  for (std::string& error : helpers_.apply(configuration.helpers, configuration.complete))
    errors.push_back(std::move(error));
  zones_.apply(configuration.zones, configuration.complete);
  std::vector<automation::Fault> faults;
  for (const std::string& error : errors) {
    // The place stays the same as long as the fault does.
    faults.push_back({"configuration " + error.substr(0, error.find(": ")), {}, {}, error});
    base::log_warning("helpers", "{}", error);
  }
  faults_.publish(std::make_shared<const std::vector<automation::Fault>>(std::move(faults)));
}

}  // namespace hearth::app
