// SPDX-License-Identifier: Apache-2.0
#include "integrations/demo/robots.h"

#include <algorithm>

namespace hearth::integrations::demo {
namespace {

constexpr int kMinutesOfWork = 40;

bool works(std::string_view value) {
  return value == "cleaning" || value == "mowing";
}

}  // namespace

Robot::Robot(World& world, const domains::Kind& kind, const domains::EntityInfo& info, domains::Abilities can)
    : world_(world) {
  domains::Report first{.value = "docked"};
  if (kind.find_attribute("battery_level")) first.attributes["battery_level"] = kFull;
  thing_ = &world.add(kind, world.remembered(kind, info, std::move(first)), info, std::move(can), this);
  if (const auto battery = thing_->number("battery_level")) battery_ = static_cast<int>(*battery);
  become(thing_->reported());
}

void Robot::act(const domains::Action& action, const json::object& data) {
  if (action.value.empty()) return thing_->report(domains::outcome(thing_->kind(), action, data));
  const bool home = action.value == "returning";
  become(home && (world_.still() || thing_->reported() == "docked") ? "docked" : action.value);
}

void Robot::become(std::string_view value) {
  domains::Report report{.value = value};
  if (thing_->kind().find_attribute("battery_level")) report.attributes["battery_level"] = battery_;
  thing_->report(std::move(report));
  const bool rests = thing_->reported() == "docked" && battery_ == kFull;
  minute_ = core::Timer();
  if (!world_.still() && !rests) minute_ = world_.after(std::chrono::minutes(1), [this] { pass_minute(); });
}

void Robot::pass_minute() {
  const std::string now(thing_->reported());
  if (now == "docked") {
    minutes_ = 0;
    battery_ = std::min(battery_ + 2, kFull);
  }
  if (works(now)) {
    --battery_;
    if (++minutes_ >= kMinutesOfWork || battery_ <= kTired) return become("returning");
  }
  become(now == "returning" ? "docked" : now);
}

}  // namespace hearth::integrations::demo
