// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/connection/session.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "integrations/home_assistant/connection/made_session.h"

namespace hearth::integrations::home_assistant {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(BridgeSession, TellsTheHubItsRegistriesServicesAndStates) {
  MadeSession made;
  made.open();
  EXPECT_EQ(made.auth, R"({"type":"auth","access_token":"t"})");
  EXPECT_EQ(base::text_view_at(made.commands.at(0), "type"), "supported_features");
  const std::string news = made.news();
  EXPECT_EQ(sorted_lines(news), sorted_lines(kFirst)) << news;
  EXPECT_LT(news.find("opened"), news.find("registries"));
  EXPECT_LT(news.find("registries"), news.find("running"));
  made.entities(R"({"c":{"light.a":{"+":{"s":"off"}}},"a":{"light.b":{"s":"on","a":{"x":1}}}})");
  EXPECT_EQ(made.news(), R"(changes light.a=off{} light.b=on{"x":1})");
  made.entities(R"({"r":["light.b"]})");
  EXPECT_EQ(made.news(), "changes light.b gone");
  EXPECT_EQ(made.ended, "");
}

TEST(BridgeSession, TriesNoSecondTimeWhenTheTokenIsRefused) {
  MadeSession made;
  made.session.opened();
  made.says(R"({"type":"auth_required"})");
  made.says(R"({"type":"auth_invalid","message":"Invalid access token"})");
  EXPECT_EQ(made.ended, "1 refuses the token: Invalid access token");
  made.session.lost({.why = Lost::Why::refused, .message = "x"});
  EXPECT_EQ(made.news(), "lost 1 x");
}

TEST(BridgeSession, EndsAConnectionThatIsNoHub) {
  for (const std::string_view text : {"<html>", "7", "[1]", R"({"type":)", ""}) {
    MadeSession made;
    made.session.opened();
    made.says(text);
    EXPECT_EQ(made.ended, "2 sends what is no message of Home Assistant") << text;
    made.says(R"({"type":"auth_required"})");
    EXPECT_EQ(made.auth, "");
  }
  MadeSession silent;
  silent.session.opened();
  silent.says(R"({"type":"hello"})");
  silent.advance(seconds(9));
  EXPECT_EQ(silent.ended, "");
  silent.advance(seconds(1));
  EXPECT_EQ(silent.ended, "2 does not greet as Home Assistant does");
  EXPECT_EQ(silent.session.unknown_messages(), 1u);
}

TEST(BridgeSession, IgnoresWhatItDoesNotKnow) {
  MadeSession made;
  made.open();
  made.news();
  made.says(R"({"type":"news","id":3})");
  made.says(
      R"([{"id":99,"type":"event","event":{}},{"id":99,"type":"result","success":true},{"type":"pong","id":77}])");
  made.says(R"({"id":2,"type":"result","success":true,"result":{"state":"NOT_RUNNING"}})");
  EXPECT_EQ(made.news(), "") << "a second answer with one id";
  EXPECT_EQ(made.ended, "");
}

TEST(BridgeSession, PassesCommandsOfTheMirrorOn) {
  MadeSession made;
  made.session.send(1, {{"type", "call_service"}}, seconds(30));
  EXPECT_EQ(made.news(), "answer 1 2 null{}") << "unreachable";
  made.open();
  made.news();
  made.answers["call_service"] = R"({"context":{"id":"c"}})";
  made.session.send(2, {{"type", "call_service"}}, seconds(30));
  made.answer();
  EXPECT_EQ(made.news(), R"(answer 2 0 {"context":{"id":"c"}}{})");
  made.answers["call_service"] = "!not_found";
  made.session.send(3, {{"type", "call_service"}}, seconds(30));
  made.answer();
  EXPECT_EQ(made.news(), R"(answer 3 1 null{"code":"not_found","message":"no"})");
  made.answers["call_service"] = "!";
  made.session.send(4, {{"type", "call_service"}}, seconds(3));
  made.session.send(5, {{"type", "call_service"}}, seconds(30));
  made.answer();
  made.advance(seconds(3));
  EXPECT_EQ(made.news(), "answer 4 4 null{}") << "late";
  made.session.lost({.message = "x"});
  EXPECT_EQ(made.news(), "answer 5 3 null{}\nlost 0 x") << "it is not known whether it was done";
  made.session.lost({.message = "y"});
  EXPECT_EQ(made.news(), "lost 0 y") << "the next attempt";
}

TEST(BridgeSession, FollowsWhatTheMirrorAsksFor) {
  MadeSession made;
  made.open();
  made.news();
  made.answers["subscribe_trigger"] = "null";
  made.session.subscribe(7, {{"type", "subscribe_trigger"}});
  made.answer();
  EXPECT_EQ(made.news(), "answer 7 0 null{}");
  made.event_of("subscribe_trigger", "", R"({"variables":{}})");
  EXPECT_EQ(made.news(), R"(message 7 {"variables":{}})");
  made.session.unsubscribe(7);
  EXPECT_EQ(made.commands.back().at("subscription"), made.commands.at(made.commands.size() - 2).at("id"));
  made.event_of("subscribe_trigger", "", R"({"variables":{}})");
  EXPECT_EQ(made.news(), "");
}

TEST(BridgeSession, EndsAConnectionThatDoesNotAnswer) {
  MadeSession made;
  made.answers["subscribe_entities"] = "!";
  made.open();
  made.answering = true;
  made.advance(seconds(30));
  EXPECT_EQ(made.ended, "2 does not answer subscribe_entities within 30 s");
}

TEST(BridgeSession, PingsASilentHub) {
  MadeSession made;
  made.open();
  made.advance(seconds(24));
  EXPECT_EQ(made.count("ping"), 1u) << "the first one measures the latency";
  made.advance(seconds(1));
  EXPECT_EQ(made.count("ping"), 2u);
  made.clock.advance(milliseconds(7));
  made.news();
  made.answer();
  EXPECT_EQ(made.news(), "latency 7");
  made.advance(seconds(26));
  EXPECT_EQ(made.count("ping"), 3u);
  made.advance(seconds(8));
  EXPECT_EQ(made.ended, "");
  made.advance(seconds(3));
  EXPECT_EQ(made.ended, "0 does not answer any more");
}

TEST(BridgeSession, BeginsAnewWithEachConnection) {
  MadeSession made;
  made.open();
  made.news();
  for (int i = 0; i < 50; ++i) {
    made.entities(R"({"c":{"light.a":{"+":{"s":"off"}}}})");
    made.session.lost({.message = "x"});
    made.unanswered.clear();
    EXPECT_EQ(made.news(), "changes light.a=off{}\nlost 0 x");
    made.open();
    const std::string news = made.news();
    ASSERT_EQ(sorted_lines(news), sorted_lines(kFirst)) << news;
    made.commands.clear();
    made.session.ask_again();
    made.advance(seconds(10));
    made.answer();
    EXPECT_EQ(made.news(), "picture whole light.a=on{}");
  }
}

}  // namespace
}  // namespace hearth::integrations::home_assistant
