// SPDX-License-Identifier: Apache-2.0
#include "archive/remote_events.h"

#include <gtest/gtest.h>

namespace hearth::archive {
namespace {

// All of lake's but light.hidden.
std::optional<std::string> of_lake(std::string_view entity_id) {
  const std::size_t dot = entity_id.find('.');
  if (dot == std::string_view::npos || entity_id == "light.hidden") return {};
  return std::string(entity_id.substr(0, dot)) + ".lake_" + std::string(entity_id.substr(dot + 1));
}

TEST(RemoteEvents, NameEntitiesAsThePortalDoes) {
  EXPECT_EQ(R"({"entity_id":"automation.lake_x","name":"X","source":"state of light.lake_a"})",
            portal_data("automation_triggered",
                        R"({"entity_id":"automation.x","name":"X","source":"state of light.a"})", of_lake));
  EXPECT_EQ(
      R"({"entity_id":"automation.lake_x","source":"time","trigger":{"platform":"time","entity_id":"sensor.lake_a"}})",
      portal_data(
          "automation_triggered",
          R"({"entity_id":"automation.x","source":"time","trigger":{"platform":"time","entity_id":"sensor.a"}})",
          of_lake));
  EXPECT_EQ(
      R"({"domain":"light","service":"turn_on","service_data":{"entity_id":["light.lake_a"]}})",
      portal_data("call_service",
                  R"({"domain":"light","service":"turn_on","service_data":{"entity_id":["light.a","light.hidden",7]}})",
                  of_lake));
  EXPECT_EQ(R"({"entity_id":"script.lake_x","source":"time 07:00"})",
            portal_data("script_started", R"({"entity_id":"script.x","source":"time 07:00"})", of_lake));
}

TEST(RemoteEvents, WhatIsAboutNothingThatThePortalKnowsIsNotTold) {
  for (const std::string_view data :
       {"{}", R"({"entity_id":"light.hidden"})", R"({"entity_id":7})", R"({"entity_id":[]})", "[1]", "{"})
    EXPECT_FALSE(portal_data("automation_triggered", data, of_lake)) << data;
  EXPECT_FALSE(portal_data("call_service", R"({"entity_id":"light.a","service_data":{}})", of_lake));
  EXPECT_FALSE(portal_data("homeassistant_start", "{}", of_lake));
}

}  // namespace
}  // namespace hearth::archive
