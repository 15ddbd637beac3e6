// SPDX-License-Identifier: Apache-2.0
#include "integrations/home_assistant/calls/event_exchange.h"

#include "integrations/home_assistant/calls/calls_test_home.h"

namespace hearth::integrations::home_assistant {
namespace {

using namespace std::chrono_literals;

struct EventExchangeTest : CallsTest {
  EventExchangeTest() {
    options.receive = {"zha_event", "both"};
    options.send = {"both", "out"};
    mirror("light.a_x");
    all = home.hub.bus.listen(core::EventFilter{{"zha_event", "both", "out", "state_changed"}}, heard);
  }
  struct Heard final : core::EventListener {
    void on_event(const core::EventPtr& event) override {
      std::string text;
      core::write_json(text, *event);
      events.push_back(std::move(text));
      last = event;
    }
    std::vector<std::string> events;
    core::EventPtr last;
  };
  void take(const std::string& type, const std::string& data, OtherContext context = {.id = "C"}) {
    calls->take(OtherEvent{.type = type,
                           .data = base::parse_json(data).value(),
                           .time = base::Timestamp(std::chrono::seconds(1'000)),
                           .context = std::move(context)});
    home.hub.bus.run_pending();
  }
  void fire(const std::string& type, core::Origin origin = core::Origin::local) {
    home.hub.bus.fire(type, R"({"entity_id":"light.a_x"})", origin, core::Context{base::Id("here"), {}, {}});
    home.hub.bus.run_pending();
    heard.events.clear();
  }
  Heard heard;
  core::Subscription all;
};

TEST_F(EventExchangeTest, FiresWhatComesWithItsTimeTheNameOfTheHubAndIdsOfHere) {
  begin();
  connect();
  take("zha_event", R"({"entity_id":"light.x"})");
  ASSERT_EQ(heard.events.size(), 1u);
  EXPECT_EQ(heard.events[0], R"({"event_type":"zha_event","data":{"entity_id":"light.a_x","hearth_instance":"home"},)"
                             R"("origin":"REMOTE","time_fired":"1970-01-01T00:16:40.000000+00:00",)"
                             R"("context":{"id":"C","parent_id":null,"user_id":null}})");
  EXPECT_TRUE(heard.last->by_client);
}

TEST_F(EventExchangeTest, TakesOnlyTypesThatAreNamedAndNeverSomeOfThem) {
  options.receive = {"*"};
  begin();
  connect();
  for (const char* type : {"state_changed", "call_service", "service_registered", "component_loaded",
                           "entity_registry_updated", "core_config_updated", "homeassistant_started", "time_changed",
                           "timer_out_of_sync", "recorder_5min_statistics_generated", "logging_changed", ""})
    EXPECT_TRUE(EventExchange::is_never_received(type)) << type;
  take("state_changed", "{}");
  EXPECT_TRUE(heard.events.empty());
  take("zha_event", "{}");
  EXPECT_EQ(heard.events.size(), 1u);
}

TEST_F(EventExchangeTest, DoesNotTakeWhatThatHubHasOfAnother) {
  begin();
  connect();
  take("zha_event", R"({"hearth_instance":"cabin"})");
  EXPECT_TRUE(heard.events.empty());
}

TEST_F(EventExchangeTest, SendsOnlyWhatIsOfThisHub) {
  begin();
  connect();
  fire("out");
  ASSERT_EQ(link.sent.size(), 1u);
  EXPECT_EQ(sent(), R"({"type":"fire_event","event_type":"out","event_data":{"entity_id":"light.x"}})");
  fire("out", core::Origin::remote);
  fire("zha_event");
  EXPECT_EQ(link.sent.size(), 1u);
  calls->lost();
  fire("out");
  connect();
  EXPECT_EQ(link.sent.size(), 1u);
}

TEST_F(EventExchangeTest, TellsAnotherHearthNotToSendItOn) {
  begin();
  connect("1.0.0");
  fire("out");
  EXPECT_EQ(sent(), R"({"type":"fire_event","event_type":"out","remote":true,"event_data":{"entity_id":"light.x"}})");
}

TEST_F(EventExchangeTest, WhatWasSentIsDroppedWhenItComesBackAlsoBeforeItsResult) {
  begin();
  connect();
  fire("both");
  take("both", R"({"n":1})", of_token("C1"));  // ours: the result is yet to come
  take("both", R"({"n":2})");                  // somebody else's, which stays behind
  EXPECT_TRUE(heard.events.empty());
  answer_last("C1");
  ASSERT_EQ(heard.events.size(), 1u);
  EXPECT_NE(heard.events[0].find(R"("n":2)"), std::string::npos);
  take("both", "{}", of_token("C1"));
  EXPECT_EQ(heard.events.size(), 1u);
  // Its consequences there are known as such.
  EXPECT_EQ(contexts->mapped({.id = "D", .parent_id = std::string("C1")}).parent_id, base::Id("here"));
  home.clock.advance(EventExchange::kSentFor + 1s);
  take("both", "{}", of_token("C1"));
  EXPECT_EQ(heard.events.size(), 2u);
}

TEST_F(EventExchangeTest, AnEventOfTheSameTokenThatIsNotOursComesAfterTheResult) {
  begin();
  connect();
  fire("both");
  take("both", "{}", of_token("other"));
  answer_last("C1");
  EXPECT_EQ(heard.events.size(), 1u);
}

TEST_F(EventExchangeTest, WhatMayBeOursIsDroppedIfNoResultComes) {
  begin();
  connect();
  fire("both");
  take("both", "{}", of_token("C1"));
  home.advance(EventExchange::kHeldFor);
  EXPECT_TRUE(heard.events.empty());
  fire("both");
  take("both", "{}", of_token("C2"));
  take("zha_event", "{}");
  calls->lost();
  home.hub.bus.run_pending();
  EXPECT_EQ(heard.events.size(), 1u);
}

TEST_F(EventExchangeTest, SaysIfTheTokenMayNotFire) {
  begin();
  connect();
  fire("out");
  refuse_last(R"({"code":"unauthorized","message":"Unauthorized"})");
  EXPECT_EQ(rights_missing, (std::vector<bool>{false, true}));
}

TEST_F(EventExchangeTest, KeepsWithinItsBounds) {
  begin();
  connect();
  for (std::size_t i = 0; i < 10 * EventExchange::kMaxUnanswered; ++i) fire("both");
  EXPECT_EQ(link.sent.size(), EventExchange::kMaxUnanswered);
  for (std::size_t i = 0; i < 10 * EventExchange::kMaxHeld; ++i)
    calls->take(OtherEvent{.type = "both", .data = json::object(), .time = {}, .context = of_token("other")});
  for (std::size_t i = 0; i < link.sent.size(); ++i) answer(i, "C" + std::to_string(i));
  EXPECT_EQ(heard.events.size(), EventExchange::kMaxHeld);
}

// Each sends to the next and receives from it.
TEST(EventCircles, OfTwoAndThreeHubsEnd) {
  for (const std::size_t count : {2u, 3u}) {
    struct Node final : CallsTest {
      void TestBody() override {}
    };
    std::vector<std::unique_ptr<Node>> nodes;
    for (std::size_t i = 0; i < count; ++i) {
      auto& node = nodes.emplace_back(std::make_unique<Node>());
      node->options.receive = {"both"};
      node->options.send = {"both"};
      node->begin();
      node->connect("1.0.0");
    }
    struct Fired final : core::EventListener {
      void on_event(const core::EventPtr& event) override { events.push_back(event); }
      std::vector<core::EventPtr> events;
    };
    std::vector<Fired> fired(count);
    std::vector<core::Subscription> listening;
    for (std::size_t i = 0; i < count; ++i)
      listening.push_back(nodes[i]->home.hub.bus.listen(core::EventFilter{{"both"}}, fired[i]));
    std::vector<std::size_t> delivered(count, 0), carried(count, 0);
    nodes[0]->home.hub.bus.fire("both", "{}", core::Origin::local, core::Context{base::Id("first"), {}, {}});
    for (int round = 0; round < 20; ++round) {
      for (std::size_t i = 0; i < count; ++i) {
        Node& node = *nodes[i];
        Node& next = *nodes[(i + 1) % count];
        node.home.hub.bus.run_pending();
        // An event that it sends is fired there, as a hub does for such a client.
        for (; carried[i] < node.link.sent.size(); ++carried[i]) {
          const json::object& command = node.link.sent[carried[i]].command;
          const std::string id = fmt::format("T{}_{}", i, carried[i]);
          next.home.hub.bus.fire("both", base::to_json(command.at("event_data")),
                                 command.contains("remote") ? core::Origin::remote : core::Origin::local,
                                 core::Context{base::Id(id), {}, base::Id("token_user")}, core::FiredBy::client);
          next.home.hub.bus.run_pending();
          node.answer(carried[i], id);
        }
        // Events there are told to it.
        for (; delivered[i] < fired[(i + 1) % count].events.size(); ++delivered[i]) {
          const core::EventPtr event = fired[(i + 1) % count].events[delivered[i]];
          std::string text;
          core::write_data_json(text, *event);
          OtherContext context{.id = std::string(event->context.id.str())};
          if (event->context.user_id) context.user_id = std::string(event->context.user_id->str());
          node.calls->take(
              OtherEvent{.type = "both", .data = base::parse_json(text).value(), .time = {}, .context = context});
          node.home.hub.bus.run_pending();
        }
      }
    }
    std::size_t total = 0;
    for (const Fired& each : fired) total += each.events.size();
    EXPECT_LE(total, 2 * count + 1) << count;
    EXPECT_GE(total, 2u);
  }
}

}  // namespace
}  // namespace hearth::integrations::home_assistant
