// SPDX-License-Identifier: Apache-2.0
#include "domains/cover/cover.h"

namespace hearth::domains {
namespace {

enum Feature {
  kOpen = 1,
  kClose = 2,
  kSetPosition = 4,
  kStop = 8,
  kOpenTilt = 16,
  kCloseTilt = 32,
  kStopTilt = 64,
  kSetTiltPosition = 128,
};

}  // namespace

void Cover::report(CoverState state, const core::Context* cause) {
  state_ = state;
  write(cause);
}

std::string Cover::value() const {
  if (!state_) return std::string(core::kUnknown);
  switch (state_->motion) {
    case CoverState::Motion::opening:
      return "opening";
    case CoverState::Motion::closing:
      return "closing";
    case CoverState::Motion::still:
      break;
  }
  if (!state_->position) return std::string(core::kUnknown);
  return *state_->position == 0 ? "closed" : "open";
}

void Cover::add_capabilities(json::object& attributes) const {
  int features = kOpen | kClose;
  if (capabilities_.position) features |= kSetPosition;
  if (capabilities_.stop) features |= kStop;
  if (capabilities_.tilt) features |= kOpenTilt | kCloseTilt;
  if (capabilities_.tilt_stop) features |= kStopTilt;
  if (capabilities_.tilt_position) features |= kSetTiltPosition;
  attributes["supported_features"] = features;
}

void Cover::add_attributes(json::object& attributes) const {
  const auto show = [&](const char* key, std::optional<int> position) {
    attributes[key] = position ? json::value(*position) : json::value();
  };
  if (capabilities_.position) show("current_position", state_ ? state_->position : std::nullopt);
  if (capabilities_.tilt) show("current_tilt_position", state_ ? state_->tilt_position : std::nullopt);
}

base::Result<void> Cover::supports(std::string_view service) const {
  const bool tilt = service.find("tilt") != std::string_view::npos;
  if (tilt && !capabilities_.tilt) return cannot(*this, "tilt its slats");
  if (service == "stop_cover" && !capabilities_.stop) return cannot(*this, "stop on its way");
  if (service == "set_cover_position" && !capabilities_.position) return cannot(*this, "move to a position");
  if (service == "stop_cover_tilt" && !capabilities_.tilt_stop) return cannot(*this, "stop its slats on their way");
  if (service == "set_cover_tilt_position" && !capabilities_.tilt_position) {
    return cannot(*this, "tilt its slats to a position");
  }
  return {};
}

}  // namespace hearth::domains
