// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "integrations/home_assistant/connection/made_session.h"

namespace hearth::integrations::home_assistant {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(BridgeHome, SpeaksWithAHubOf2021) {
  MadeSession made;
  for (const char* const type : {"supported_features", "config/floor_registry/list", "config/label_registry/list",
                                 "config/entity_registry/get_entries", "subscribe_entities", "auth/refresh_tokens"})
    made.answers.erase(type);
  made.answers["get_config"] = R"({"version":"2021.12.10","state":"RUNNING"})";
  made.answers["config/entity_registry/list"] = R"([{"entity_id":"light.a","platform":"hue"}])";
  made.answers["config/entity_registry/get"] = R"({"entity_id":"light.a","platform":"hue","unique_id":"7"})";
  made.answers["get_states"] = R"([{"entity_id":"light.a","state":"on","attributes":{"y":1}}])";
  made.open();
  const std::string news = made.news();
  EXPECT_NE(news.find("config/floor_registry/list,config/label_registry/list,subscribe_entities"), std::string::npos)
      << news;
  EXPECT_NE(news.find("registries light.a:7"), std::string::npos) << news;
  EXPECT_TRUE(news.ends_with("running\npicture whole light.a=on{\"y\":1}")) << news;
  made.event_of("subscribe_events", "state_changed",
                R"({"event_type":"state_changed","data":{"entity_id":"light.a","new_state":
                   {"entity_id":"light.a","state":"off","attributes":{}}}})");
  EXPECT_EQ(made.news(), "changes light.a=off{}");
  made.event_of("subscribe_events", "state_changed", R"({"data":{"entity_id":"light.a","new_state":null}})");
  EXPECT_EQ(made.news(), "changes light.a gone");
}

TEST(BridgeHome, IsNotWholeUntilTheHubThereRuns) {
  MadeSession made;
  made.answers["get_config"] = R"({"version":"2026.2.3","state":"NOT_RUNNING"})";
  made.open();
  EXPECT_TRUE(made.news().ends_with("picture light.a=on{}"));
  made.answering = true;
  made.advance(seconds(7));
  EXPECT_EQ(made.count("get_config"), 4u);
  made.entities(R"({"a":{"light.b":{"s":"off"}}})");
  EXPECT_EQ(made.news(), "changes light.b=off{}");
  made.answers["get_config"] = R"({"version":"2026.2.3","state":"RUNNING"})";
  made.event_of("subscribe_events", "homeassistant_started", R"({"event_type":"homeassistant_started"})");
  made.answer();
  made.advance(milliseconds(60));
  EXPECT_EQ(made.news(), "registries light.a:1 \nrunning\npicture whole light.a=on{} light.b=off{}");
  made.advance(seconds(3));
  EXPECT_EQ(made.count("get_config"), 5u) << "it is not asked any more";
}

TEST(BridgeHome, AsksAStartingHubForTenMinutes) {
  MadeSession made;
  made.answers["get_config"] = R"({"version":"2026.2.3","state":"NOT_RUNNING"})";
  made.open();
  made.answering = true;
  made.advance(std::chrono::minutes(10));
  const std::size_t asked = made.count("get_config");
  EXPECT_GE(asked, 299u);
  made.advance(std::chrono::minutes(1));
  EXPECT_LE(made.count("get_config"), asked + 1);
  made.answers["get_config"] = R"({"version":"2026.2.3","state":"RUNNING"})";
  made.event_of("subscribe_events", "homeassistant_started", R"({})");
  made.answer();
  made.advance(milliseconds(60));
  EXPECT_NE(made.news().find("running\npicture whole light.a=on{}"), std::string::npos);
}

TEST(BridgeHome, TellsEventsThatAreAskedFor) {
  MadeSession made({.token = core::Secret("t"), .receive = {"zha_event", "state_changed"}});
  made.open();
  made.news();
  made.event_of("subscribe_events", "zha_event", R"({"event_type":"zha_event","data":{"command":"on"}})");
  EXPECT_EQ(made.news(), R"(event zha_event{"command":"on"})");
  for (const json::object& one : made.commands) EXPECT_NE(base::text_view_at(one, "event_type"), "state_changed");
  MadeSession all({.token = core::Secret("t"), .receive = {"*", "zha_event"}});
  all.open();
  all.news();
  all.event_of("subscribe_events", "", R"({"event_type":"state_changed","data":{}})");
  all.event_of("subscribe_events", "", R"({"event_type":"zha_event","data":{}})");
  EXPECT_EQ(all.news(), "event zha_event{}");
}

TEST(BridgeHome, ListsTheRegistriesAgainAndHoldsWhatIsNewUntilThen) {
  MadeSession made;
  made.open();
  made.news();
  made.registry_changed();
  made.registry_changed();
  made.entities(R"({"r":["light.a"],"a":{"light.renamed":{"s":"on"}}})");
  EXPECT_EQ(made.news(), "");
  made.answers["config/entity_registry/list"] = R"([{"entity_id":"light.renamed","unique_id":"1"}])";
  made.answering = true;
  made.advance(seconds(3));
  EXPECT_EQ(made.news(), "registries light.renamed:1 \nchanges light.a gone light.renamed=on{}");
  EXPECT_EQ(made.count("config/entity_registry/list"), 2u) << "once for both";
}

TEST(BridgeHome, GetsNamesOfServicesInTheLanguageOfTheHome) {
  MadeSession made({.token = core::Secret("t"), .language = "de"});
  made.answers["get_services"] = R"({"light":{"turn_on":{},"turn_off":{}}})";
  made.answers["frontend/get_translations"] = R"({"resources":{"component.light.services.turn_on.name":"An"}})";
  made.open();
  EXPECT_EQ(made.count("frontend/get_translations"), 2u) << "and English";
  EXPECT_NE(made.news().find("services light.turn_on An light.turn_off "), std::string::npos);
  made.event_of("subscribe_events", "service_registered", "{}");
  made.answering = true;
  made.advance(seconds(6));
  EXPECT_EQ(made.count("get_services"), 2u);
}

TEST(BridgeHome, MirrorsStatesAloneIfTheRegistryCannotBeListed) {
  for (const std::string answer : {"!unauthorized", "!"}) {
    MadeSession made;
    made.answers["config/entity_registry/list"] = answer;
    made.open();
    made.answering = true;
    made.advance(seconds(31));
    const std::string news = made.news();
    EXPECT_NE(news.find("registries incomplete"), std::string::npos) << news;
    EXPECT_NE(news.find("picture whole light.a=on{}"), std::string::npos) << news;
  }
}

}  // namespace
}  // namespace hearth::integrations::home_assistant
