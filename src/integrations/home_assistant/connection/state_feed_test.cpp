// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "integrations/home_assistant/connection/made_session.h"

namespace hearth::integrations::home_assistant {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(BridgeStates, AsksTheHubToFilterAndFiltersItselfIfThatCannot) {
  SessionOptions options{.token = core::Secret("t")};
  options.filter.include.domains = {"light"};
  MadeSession made(options);
  made.picture = R"({"a":{"light.a":{"s":"on"},"sensor.x":{"s":"1"}}})";
  made.answers["subscribe_entities"] = "!invalid_format";
  made.open();
  EXPECT_EQ(made.count("subscribe_entities"), 2u);
  EXPECT_EQ(made.count("get_states"), 1u) << "the answer to both was an error";
  MadeSession new_hub(options);
  new_hub.picture = made.picture;
  new_hub.open();
  EXPECT_TRUE(new_hub.news().ends_with("picture whole light.a=on{}"));
  for (const json::object& one : new_hub.commands) {
    if (base::text_view_at(one, "type") == "subscribe_entities")
      EXPECT_EQ(base::to_json(one.at("include")), R"({"domains":["light"]})");
  }
  new_hub.entities(R"({"a":{"sensor.y":{"s":"1"}},"c":{"sensor.x":{"+":{"s":"2"}}}})");
  EXPECT_EQ(new_hub.news(), "");
}

TEST(BridgeStates, LetsTheNewestOfTooManyChangesThroughWhenTheSecondIsOver) {
  MadeSession made({.token = core::Secret("t"), .max_updates = 2});
  made.open();
  made.news();
  for (int i = 0; i < 5; ++i) made.entities(fmt::format(R"({{"c":{{"light.a":{{"+":{{"s":"{}"}}}}}}}})", i));
  EXPECT_EQ(made.news(), "changes light.a=0{} light.a=1{} skipped 2");
  made.advance(milliseconds(900));
  EXPECT_EQ(made.news(), "");
  made.advance(milliseconds(100));
  EXPECT_EQ(made.news(), "changes light.a=4{}");
  made.advance(seconds(2));
  EXPECT_EQ(made.news(), "");
  for (int i = 0; i < 3; ++i) made.entities(fmt::format(R"({{"c":{{"light.a":{{"+":{{"s":"{}"}}}}}}}})", i));
  made.entities(R"({"r":["light.a"]})");
  EXPECT_EQ(made.news(), "changes light.a=0{} light.a=1{} light.a gone");
  made.advance(seconds(2));
  EXPECT_EQ(made.news(), "");
}

TEST(BridgeStates, TellsAStateOnceMoreIfItIsAskedFor) {
  MadeSession made;
  made.open();
  made.news();
  made.entities(R"({"a":{"light.a":{"s":"on"}}})");
  made.advance(StateFeed::kTogether);
  made.news();
  made.session.tell_again("light.a");
  made.session.tell_again("light.none");
  made.advance(StateFeed::kTogether);
  EXPECT_EQ(made.news(), "changes light.a=on{}");
}

TEST(BridgeStates, AsksForAllStatesWhenAChangeDoesNotFitButNotTooOften) {
  MadeSession made;
  made.open();
  made.answering = true;
  made.news();
  made.advance(seconds(11));
  made.entities(R"({"c":{"light.none":{"+":{"s":"on"}}}})");
  made.picture = R"({"a":{"light.none":{"s":"on"}}})";
  made.answer();
  EXPECT_EQ(made.count("subscribe_entities"), 2u);
  EXPECT_EQ(made.news(), "picture whole light.none=on{}");
  made.entities(R"({"c":{"light.other":{"+":{"s":"on"}}}})");
  made.session.ask_again();
  made.advance(seconds(9));
  EXPECT_EQ(made.count("subscribe_entities"), 2u);
  made.advance(seconds(1));
  EXPECT_EQ(made.count("subscribe_entities"), 3u);
  EXPECT_EQ(made.count("unsubscribe_events"), 2u);
}

TEST(BridgeStates, CutsAFlood) {
  MadeSession made;
  made.open();
  std::string text = R"({"c":{)";
  for (int i = 0; i < 5'100; ++i) text += fmt::format(R"({}"light.a":{{"+":{{"s":"{}"}}}})", i ? "," : "", i);
  text += "}}";
  for (int second = 0; second < 10; ++second) {
    made.entities(text);
    made.advance(seconds(1));
  }
  EXPECT_EQ(made.ended, "");
  made.entities(text);
  made.advance(seconds(1));
  made.entities(text);
  EXPECT_EQ(made.ended, "3 sends more than 5000 changes a second");
}

TEST(BridgeStates, TellsTheFirstChangeAtOnceAndThoseRightAfterItTogether) {
  MadeSession made;
  made.open();
  made.news();
  made.advance(seconds(1));
  for (int i = 0; i < 9; ++i) {
    made.entities(fmt::format(R"({{"c":{{"light.a":{{"+":{{"s":"{}"}}}}}}}})", i));
    made.settle();
  }
  EXPECT_EQ(made.told.size(), 1u);
  made.advance(StateFeed::kTogether);
  EXPECT_EQ(made.told.size(), 2u);
}

TEST(BridgeStates, SplitsWhatOneFrameHolds) {
  MadeSession made;
  made.open();
  made.news();
  std::string text = R"({"a":{)";
  for (int i = 0; i < 600; ++i) text += fmt::format(R"({}"light.n{}":{{"s":"on"}})", i ? "," : "", i);
  made.entities(text + "}}");
  made.advance(StateFeed::kTogether);
  EXPECT_EQ(made.told.size(), 3u);
}

}  // namespace
}  // namespace hearth::integrations::home_assistant
