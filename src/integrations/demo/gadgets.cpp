// SPDX-License-Identifier: Apache-2.0
#include "integrations/demo/gadgets.h"

#include <algorithm>

namespace hearth::integrations::demo {

Updater::Updater(World& world, const domains::EntityInfo& info, const char* installed, const char* latest)
    : world_(world),
      update_(world.add(domains::kUpdate,
                        world.remembered(domains::kUpdate, info,
                                         {.attributes = {{"installed_version", installed},
                                                         {"latest_version", latest},
                                                         {"title", info.name},
                                                         {"auto_update", false},
                                                         {"in_progress", false},
                                                         {"release_summary", "Fewer faults, and a better antenna."}}}),
                        info, {.features = "install specific_version progress backup"}, this)) {}

void Updater::act(const domains::Action&, const json::object& data) {
  const json::value* const version = data.if_contains("version");
  version_ = version ? version->get_string() : update_.attribute("latest_version").get_string();
  install(world_.still() ? 100 : 0);
}

void Updater::install(int percent) {
  const bool done = percent >= 100;
  domains::Report report{.attributes = {{"in_progress", !done}, {"update_percentage", percent}}};
  if (done)
    report.attributes = {{"in_progress", false}, {"update_percentage", nullptr}, {"installed_version", version_}};
  update_.report(std::move(report));
  if (!done) step_ = world_.after(std::chrono::seconds(3), [this, percent] { install(percent + 10); });
}

Scene::Scene(World& world, const domains::EntityInfo& info, std::vector<Step> steps)
    : world_(world),
      steps_(std::move(steps)),
      scene_(world.add(domains::kScene, world.remembered(domains::kScene, info, {.value = nullptr}), info, {}, this)) {}

void Scene::act(const domains::Action&, const json::object&) {
  for (const Step& step : steps_) world_.call(step.domain, step.service, step.data, scene_.command_context());
}

Car::Car(World& world, const domains::EntityInfo& tracker, const domains::EntityInfo& plug, const domains::Thing& limit)
    : world_(world),
      limit_(limit),
      tracker_(world.add(domains::kDeviceTracker, {.value = away() ? "not_home" : "home"}, tracker,
                         {.attributes = {{"source_type", "gps"}}})),
      plug_(world.add(domains::kBinarySensor, {.value = !away()}, plug)),
      pulse_(world, std::chrono::seconds(60), [this] { pass_time(); }) {}

// Away from 8:00 to 16:30, each day up to half an hour earlier or later.
bool Car::away() const {
  if (world_.still()) return false;
  const LocalTime time = world_.time();
  const double shift = world_.noise().in_slot(401, static_cast<std::int64_t>(time.hours / 24)) - 0.5;
  return time.hour > 8 + shift && time.hour < 16.5 + shift;
}

void Car::pass_time() {
  const bool drives = away();
  if (drives) {
    battery_ = std::max(battery_ - 0.08, 10.0);
    kilometres_ += 0.35;
  } else {
    const double most = limit_.reported() == core::kUnknown ? 80 : std::stod(std::string(limit_.reported()));
    if (battery_ < most) battery_ = std::min(battery_ + 0.3, most);
  }
  const std::string_view place = drives ? "not_home" : "home";
  if (tracker_.reported() == place) return;
  tracker_.report({.value = place});
  plug_.report({.value = !drives});
}

}  // namespace hearth::integrations::demo
