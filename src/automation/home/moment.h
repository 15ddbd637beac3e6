// SPDX-License-Identifier: Apache-2.0
// The home as conditions and templates see it at one moment: its states as of an event that is being delivered, or the
// present ones. Passed by reference; must not outlive the event's delivery. Bus thread only.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "automation/values/renderer.h"
#include "core/device_delegate.h"
#include "core/hub.h"
#include "domains/sky/sun_times.h"
#include "template/values/past_states.h"

namespace hearth::automation {

class Trace;

class Moment {
 public:
  // All must outlive it. `event`: the number of the last event that it has seen. `past`: the states that have changed
  // since that, null if it is the present. `trace`: notes what is looked at and rendered, unless it is null.
  Moment(core::Hub& hub, const Renderer::Home& templates, std::uint64_t event, const templates::PastStates* past,
         Trace* trace);
  Moment(const Moment&) = delete;
  Moment& operator=(const Moment&) = delete;
  // The same, noted in a trace, which may be null.
  Moment noted_in(Trace* trace) const { return {hub_, templates_, event_, past_, trace}; }

  // Null if there is none.
  core::StatePtr find(std::string_view entity_id) const;
  const Renderer& renderer() const { return renderer_; }
  Trace* trace() const { return trace_; }

  bool is_present() const { return past_ == nullptr; }
  std::uint64_t event() const { return event_; }

  base::Timestamp time() const { return hub_.clock.now(); }
  templates::Zone zone() const { return templates::Zone::of(hub_.config.load()->time_zone); }
  domains::Place place() const;
  auto config() const { return hub_.config.load(); }
  auto registry() const { return hub_.registry.snapshot(); }
  // Whoever knows what this hub does not know of the device; null if nobody does.
  core::DeviceDelegate* delegate_of(std::string_view device_id) const { return core::find_delegate(hub_, device_id); }
  // The entity of that id in the registry, or itself if it is an entity id.
  std::string entity_id_of(const std::string& reference) const;

 private:
  core::Hub& hub_;
  const Renderer::Home& templates_;
  const std::uint64_t event_;
  const templates::PastStates* const past_;
  Trace* const trace_;
  const Renderer renderer_;
};

}  // namespace hearth::automation
