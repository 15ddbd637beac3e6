// SPDX-License-Identifier: Apache-2.0
// What triggers, conditions and runs use of the home. One object for all; outlives them. Bus thread only.
#pragma once

#include <functional>

#include "automation/event_router.h"
#include "automation/lineage.h"
#include "automation/renderer.h"
#include "automation/sun_times.h"
#include "automation/webhook_router.h"
#include "core/hub.h"

namespace hearth::automation {

struct Home {
  static constexpr std::size_t kMaxRuns = 10'000;  // at once, of all items; a further one is dropped

  Home(core::Hub& used_hub, Renderer::Imports imports)
      : hub(used_hub), renderer(used_hub, std::move(imports)), events(used_hub.bus), webhooks(used_hub.webhooks) {}

  Place place() const {
    const auto config = hub.config.load();
    return {config->latitude, config->longitude, static_cast<double>(config->elevation)};
  }
  templates::Zone zone() const { return templates::Zone::of(hub.config.load()->time_zone); }

  core::Hub& hub;
  Renderer renderer;
  EventRouter events;
  WebhookRouter webhooks;
  Lineage lineage;
  std::size_t runs = 0;  // that are under way
  // An automation has been stopped, or was turned on again after that.
  std::function<void()> stopped = [] {};
  // Runs the script that the request names, as its service would, and answers when it has ended, however long that
  // takes. False, without an answer, if there is no such script.
  std::function<bool(const core::ServiceRequest& request, core::ServiceRegistry::Done done)> call_script;
};

}  // namespace hearth::automation
