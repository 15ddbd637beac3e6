// SPDX-License-Identifier: Apache-2.0
#include "api/history/logbook/logbook_entry.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace hearth::api {
namespace {

// The message for a caller who may read light.shown alone.
std::string message_of(std::string_view data_json) {
  auto cause = logbook_cause("automation_triggered", data_json).value();
  hide_trigger(cause, [](std::string_view id) { return id == "light.shown"; });
  EXPECT_EQ(cause.trigger.source.empty(), cause.message == "triggered");
  return cause.message;
}

TEST(LogbookEntry, ATriggerIsHiddenFromWhoMayNotReadItsEntity) {
  for (const char* const shown :
       {R"("state of light.shown","trigger":{"platform":"state","entity_id":"light.shown"})",
        R"("numeric state of light.shown","trigger":{"platform":"numeric_state","entity_id":"light.shown"})",
        R"("time","trigger":{"platform":"time","entity_id":"input_datetime.hidden"})",
        R"("time pattern","trigger":{"platform":"time_pattern"})", R"("sunset","trigger":{"platform":"sun"})",
        R"("start of the hub","trigger":{"platform":"homeassistant"})"})
    EXPECT_TRUE(message_of(fmt::format(R"({{"source":{}}})", shown)).starts_with("triggered by ")) << shown;
  for (const char* const hidden :
       {R"("state of light.hidden","trigger":{"platform":"state","entity_id":"light.hidden"})",
        R"("numeric state of light.hidden","trigger":{"platform":"numeric_state","entity_id":"light.hidden"})",
        R"("state of light.hidden","trigger":{"platform":"state"})", R"("state of light.hidden","trigger":{})",
        R"("light.shown entering zone.hidden","trigger":{"platform":"zone","entity_id":"light.shown"})",
        R"("calendar calendar.hidden","trigger":{"platform":"calendar","entity_id":"calendar.hidden"})",
        R"("mqtt topic bedroom","trigger":{"platform":"mqtt"})", R"("by hand","trigger":{})"})
    EXPECT_EQ(message_of(fmt::format(R"({{"source":{}}})", hidden)), "triggered") << hidden;
}

TEST(LogbookEntry, ATriggerThatAFormerVersionRecordedIsHiddenLikewise) {
  for (const char* const shown :
       {"state of light.shown", "numeric state of light.shown", "time", "time pattern", "sunset", "start of the hub"})
    EXPECT_EQ(message_of(fmt::format(R"({{"source":"{}"}})", shown)), std::string("triggered by ") + shown);
  for (const char* const hidden :
       {"state of light.hidden", "numeric state of sensor.hidden", "event bedroom", "mqtt topic bedroom/lamp",
        "calendar calendar.hidden", "sentence 'open the bedroom'", "webhook", "state of light.hidden of light.hidden",
        "event of light.shown", "tag bedroom"})
    EXPECT_EQ(message_of(fmt::format(R"({{"source":"{}"}})", hidden)), "triggered") << hidden;
}

}  // namespace
}  // namespace hearth::api
