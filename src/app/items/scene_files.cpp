// SPDX-License-Identifier: Apache-2.0
#include "app/items/scene_files.h"

#include "base/log/log.h"

namespace hearth::app {

void SceneFiles::add_services(automation::Engine::Reload reload) {
  core::ServiceDescription description;
  description.domain = "scene";
  description.service = "reload";
  description.name = "Reload";
  description.description = "Reads the files of scenes again.";
  description.has_target = false;
  description.administrator = true;
  registrations_.push_back(hub_.services.add(
      description, [reload = std::move(reload)](const core::ServiceCall& call, core::ServiceReply reply) {
        reload(call.context(), std::move(reply));
      }));
}

void SceneFiles::apply(const automation::SceneConfiguration& configuration) {
  for (const std::string& warning : configuration.warnings) base::log_warning("scene", "{}", warning);
  std::vector<std::string> errors = configuration.faults;
  for (std::string& error : scenes_.apply(configuration.scenes, configuration.complete))
    errors.push_back(std::move(error));
  std::vector<automation::Fault> faults;
  for (const std::string& error : errors) {
    // The place stays the same as long as the fault does.
    faults.push_back({"configuration " + error.substr(0, error.find(": ")), {}, {}, error});
    base::log_warning("scene", "{}", error);
  }
  for (const domains::SceneItem& scene : configuration.scenes) {
    if (scene.error.empty()) continue;
    faults.push_back(
        {"scene " + scene.unique_id, std::string(scenes_.entity_id(scene.unique_id)), scene.name, scene.error});
    base::log_lines(base::LogLevel::warning, "scene", scene.error);
  }
  faults_.publish(std::make_shared<const std::vector<automation::Fault>>(std::move(faults)));
}

}  // namespace hearth::app
