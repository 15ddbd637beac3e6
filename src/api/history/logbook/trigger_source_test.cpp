// SPDX-License-Identifier: Apache-2.0
#include "api/history/logbook/trigger_source.h"

#include <gtest/gtest.h>

namespace hearth::api {
namespace {

TEST(TriggerSource, IsKeptFromWhoMayNotReadItsEntity) {
  const auto message = [](std::string source) {
    LogbookCause cause;
    cause.message = "triggered by " + source;
    cause.source = std::move(source);
    hide_source(cause, [](std::string_view id) { return id == "light.shown"; });
    EXPECT_EQ(cause.source.empty(), cause.message == "triggered");
    return cause.message;
  };
  for (const char* const shown :
       {"state of light.shown", "numeric state of light.shown", "time", "time pattern", "sunset", "start of the hub"})
    EXPECT_EQ(message(shown), std::string("triggered by ") + shown);
  for (const char* const hidden :
       {"state of light.hidden", "numeric state of sensor.hidden", "event bedroom", "mqtt topic bedroom/lamp",
        "calendar calendar.hidden", "sentence 'open the bedroom'", "webhook", "state of light.hidden of light.hidden",
        "event of light.shown", "tag bedroom"})
    EXPECT_FALSE(message(hidden).contains("hidden") || message(hidden).contains("bedroom")) << hidden;
}

TEST(TriggerSource, NamesItsPlatformAndItsEntity) {
  EXPECT_EQ(platform_of_source("numeric state of sensor.a"), "numeric_state");
  EXPECT_EQ(platform_of_source("time pattern"), "time_pattern");
  EXPECT_EQ(platform_of_source("start of the hub"), "homeassistant");
  EXPECT_EQ(platform_of_source("mqtt topic a/b"), "mqtt");
  EXPECT_EQ(entity_of_source("state of light.hall"), "light.hall");
  EXPECT_EQ(entity_of_source("start of the hub"), "");
  EXPECT_EQ(entity_of_source("time"), "");
}

}  // namespace
}  // namespace hearth::api
