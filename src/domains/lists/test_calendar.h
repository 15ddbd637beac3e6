// SPDX-License-Identifier: Apache-2.0
// The family's calendar, in a home in Berlin.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "domains/entities/kinds.h"
#include "domains/lists/calendar.h"
#include "domains/test_home.h"

namespace hearth::domains {

// The clock starts at 2026-11-21 00:00 UTC, a Saturday, 01:00 in Berlin.
class FamilyCalendarTest : public testing::Test {
 protected:
  FamilyCalendarTest() {
    auto config = std::make_shared<core::HubConfig>(*home_.hub.config.load());
    config->time_zone = "Europe/Berlin";
    home_.hub.config.publish(config);
    calendar_.attach(home_.add(std::make_unique<Thing>(kCalendar, test_entity("family"),
                                                       Abilities{.features = Calendar::kFeatures}, &calendar_)));
    home_.hub.bus.run_pending();
  }
  std::string call(std::string_view service, json::object data) {
    data["entity_id"] = "calendar.family";
    return home_.call("calendar." + std::string(service), base::to_json(data));
  }

  TestHome home_;
  Calendar calendar_{home_.hub.registry, home_.bus};
};

}  // namespace hearth::domains
