// SPDX-License-Identifier: Apache-2.0
// For tests: ports whose answers the test can replace.
#pragma once

#include <functional>
#include <utility>

#include "automation/home/home.h"

namespace hearth::automation {

class TestPorts final : public Ports {
 public:
  explicit TestPorts(Home& home) : home_(home), real_(*std::exchange(home.ports, this)) {}
  ~TestPorts() override { home_.ports = &real_; }
  TestPorts(const TestPorts&) = delete;
  TestPorts& operator=(const TestPorts&) = delete;

  std::function<bool()> on_call_script, on_clock_is_set;
  std::function<base::Result<json::array>()> on_calendar_events;

  bool call_script(const core::ServiceRequest& request, const Caller& caller, Trace* trace,
                   const core::ServiceRegistry::Done& done) override {
    return on_call_script ? on_call_script() : real_.call_script(request, caller, trace, done);
  }
  base::Result<json::array> calendar_events(const std::string& entity_id, base::Timestamp from,
                                            base::Timestamp until) override {
    return on_calendar_events ? on_calendar_events() : real_.calendar_events(entity_id, from, until);
  }
  bool clock_is_set() override { return on_clock_is_set ? on_clock_is_set() : real_.clock_is_set(); }
  void stopped_changed() override { real_.stopped_changed(); }

 private:
  Home& home_;
  Ports& real_;
};

}  // namespace hearth::automation
