// SPDX-License-Identifier: Apache-2.0
#include "integrations/demo/movers.h"

#include <cmath>

namespace hearth::integrations::demo {

using Motion = domains::CoverState::Motion;

Shade::Shade(World& world, domains::EntityInfo info, domains::CoverCapabilities capabilities, domains::CoverState first,
             int travel_seconds)
    : world_(world),
      travel_seconds_(travel_seconds),
      state_(world.remembered<domains::Cover>(info, first)),
      position_(state_.position.value()),
      target_(position_),
      cover_(world.add<domains::Cover>(state_, std::move(info), capabilities, *this)) {}

void Shade::set_tilt_position(int position) {
  state_.tilt_position = position;
  cover_.report(state_);
}

void Shade::move_to(double position) {
  target_ = position;
  if (world_.still()) position_ = target_;
  motor_ = core::Timer();
  if (position_ != target_) motor_ = world_.after(std::chrono::seconds(1), [this] { step(); });
  report();
}

void Shade::step() {
  const double stride = 100.0 / travel_seconds_, rest = target_ - position_;
  position_ = std::fabs(rest) <= stride ? target_ : position_ + std::copysign(stride, rest);
  if (position_ != target_) motor_ = world_.after(std::chrono::seconds(1), [this] { step(); });
  report();
}

void Shade::report() {
  state_.motion = position_ < target_ ? Motion::opening : position_ > target_ ? Motion::closing : Motion::still;
  state_.position = static_cast<int>(std::lround(position_));
  cover_.report(state_);
}

}  // namespace hearth::integrations::demo
