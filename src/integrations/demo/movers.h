// SPDX-License-Identifier: Apache-2.0
// What turns and travels in the demo home: covers and a fan. Bus thread only.
#pragma once

#include "domains/cover/cover.h"
#include "domains/fan/fan.h"
#include "integrations/demo/world.h"

namespace hearth::integrations::demo {

// Travels from closed to open in some seconds, and reports each second where it is.
class Shade final : public Thing, public domains::CoverDevice {
 public:
  Shade(World& world, domains::EntityInfo info, domains::CoverCapabilities capabilities, domains::CoverState first,
        int travel_seconds);

  void open() override { move_to(100); }
  void close() override { move_to(0); }
  void stop() override { move_to(position_); }
  void set_position(int position) override { move_to(position); }
  void open_tilt() override { set_tilt_position(100); }
  void close_tilt() override { set_tilt_position(0); }
  void stop_tilt() override { cover_.report(state_); }
  void set_tilt_position(int position) override;
  double power() const override { return state_.motion == domains::CoverState::Motion::still ? 0 : 120; }

 private:
  void move_to(double position);
  void step();
  void report();

  World& world_;
  int travel_seconds_;
  domains::CoverState state_;
  double position_;
  double target_;
  domains::Cover& cover_;
  core::Timer motor_;
};

// Obeys at once.
class Ventilator final : public Thing, public domains::FanDevice {
 public:
  Ventilator(World& world, domains::EntityInfo info, domains::FanCapabilities capabilities, domains::FanState first)
      : state_(world.remembered<domains::Fan>(info, std::move(first))),
        fan_(world.add<domains::Fan>(state_, std::move(info), std::move(capabilities), *this)) {}

  void turn_on(const domains::FanCommand& command) override {
    state_.on = true;
    adjust(command);
  }
  void turn_off() override {
    state_.on = false;
    adjust({});
  }
  void adjust(const domains::FanCommand& command) override {
    state_ = domains::apply(state_, command);
    fan_.report(state_);
  }
  double power() const override { return state_.on ? 5 + state_.percentage * 0.3 : 0; }

 private:
  domains::FanState state_;
  domains::Fan& fan_;
};

}  // namespace hearth::integrations::demo
