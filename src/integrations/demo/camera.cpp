// SPDX-License-Identifier: Apache-2.0
#include "integrations/demo/camera.h"

#include "integrations/demo/drawing.h"

namespace hearth::integrations::demo {

Camera::Camera(World& world, const domains::EntityInfo& info)
    : world_(world), title_(info.name), pulse_(world, std::chrono::seconds(10), [this] { look(); }) {
  thing_ = &world.add(
      domains::kCamera,
      world.remembered(domains::kCamera, info, {.value = "idle", .attributes = {{"motion_detection", true}}}), info,
      {.features = "on_off", .attributes = {{"brand", "Fernfunk"}, {"model_name", "Watch 2"}}}, this);
  look();
}

void Camera::look() {
  if (on_) thing_->show(draw_house(world_.time(), world_.weather(), title_));
}

void Camera::act(const domains::Action& action, const json::object&) {
  domains::Report report;
  if (action.service.ends_with("motion_detection"))
    report.attributes["motion_detection"] = action.service.starts_with("enable");
  else
    on_ = action.service == "turn_on";
  thing_->report(std::move(report));
  look();
}

}  // namespace hearth::integrations::demo
