// SPDX-License-Identifier: Apache-2.0
#include "app/import_ha/known_services.h"

#include "automation/engine.h"
#include "automation/items/sections.h"
#include "base/clock.h"
#include "core/hub.h"
#include "core/values/words.h"
#include "domains/domains.h"

namespace hearth::app {
namespace {

// Added by app and by integrations while they start, or with the first sensor of their kind.
constexpr core::Words kOfRunningHub{
    "backup camera command_line file homeassistant logbook logger mqtt ping recorder rest scrape sql system_log "
    "template "
    "utility_meter "
    "wake_on_lan workday"};

}  // namespace

struct KnownServices::Home {
  base::ManualClock clock{base::Timestamp()};
  core::Hub hub{clock};
  domains::Domains domains{hub};
  automation::Engine engine{hub, domains.entities(), {}};
};

KnownServices::KnownServices() : home_(std::make_unique<Home>()) {
  home_->engine.add_services([](const core::Context&, const core::ServiceReply& reply) { reply(json::value()); });
}

KnownServices::~KnownServices() = default;

bool KnownServices::has(std::string_view service) const {
  const std::size_t dot = service.find('.');
  if (dot == std::string_view::npos) return false;
  const std::string_view domain = service.substr(0, dot);
  return kOfRunningHub.contains(domain) || automation::kDerivedPlatforms.contains(domain) ||
         home_->hub.services.find(domain, service.substr(dot + 1)) != nullptr;
}

}  // namespace hearth::app
