// SPDX-License-Identifier: Apache-2.0
#include "api/states/entity_changes.h"

#include <gtest/gtest.h>

#include "api/gateway/live_batch.h"
#include "core/hub.h"

namespace hearth::api {
namespace {

constexpr auto kAll = [](std::string_view) { return true; };

// A hub whose state changes are kept.
class EntityChangesTest : public testing::Test, private core::EventListener {
 protected:
  void set(std::string_view id, std::string_view value, std::string_view attributes = "{}",
           core::Context context = {"one", {}, {}}) {
    hub_.states.set(*core::EntityId::parse(id), {value, attributes, std::move(context)}).value();
  }
  void remove(std::string_view id) { hub_.states.remove(id, {"gone", {}, {}}).value(); }
  std::vector<std::string> changes(std::uint64_t start = 0, const EntityPredicate& wanted = kAll) {
    hub_.bus.run_pending();
    return EntityChanges(events_).behind(start, wanted);
  }
  std::string only_change() {
    const auto texts = changes();
    EXPECT_EQ(texts.size(), 1u);
    return texts.empty() ? "" : texts.front();
  }
  void forget() {
    hub_.bus.run_pending();
    events_.clear();
  }
  std::string snapshot(const EntityPredicate& wanted = kAll) {
    const auto source = entity_snapshot(core::ReadableStates(hub_.states.snapshot()), wanted);
    std::string text;
    while (source(text)) ++pieces_;
    return text;
  }

  base::ManualClock clock_{base::Timestamp(std::chrono::microseconds(1'700'000'000'500'000))};
  core::Hub hub_{clock_};

  std::vector<core::EventPtr> events_;
  int pieces_ = 0;  // of snapshots, but for the last of each

 private:
  void on_event(const core::EventPtr& event) override { events_.push_back(event); }

  core::Subscription subscription_ = hub_.bus.listen({}, *this);
  core::Subscription confirmed_ = hub_.bus.listen({{"state_confirmed"}}, *this);
};

TEST_F(EntityChangesTest, SnapshotHoldsEveryWantedEntity) {
  EXPECT_EQ(snapshot(), R"({"a":{}})");
  set("light.a", "on", R"({"brightness":7})");
  EXPECT_EQ(snapshot(), R"({"a":{"light.a":{"s":"on","a":{"brightness":7},"c":"one","lc":1700000000.5}}})");
  EXPECT_EQ(snapshot([](std::string_view id) { return id == "light.b"; }), R"({"a":{}})");
}

TEST_F(EntityChangesTest, FullStateHasTheWholeContextIfItIsMoreThanAnId) {
  set("light.a", "on", "{}", {"two", {}, "ann"});
  EXPECT_EQ(only_change(), R"({"a":{"light.a":{"s":"on","a":{},"c":{"id":"two","parent_id":null,"user_id":"ann"},)"
                           R"("lc":1700000000.5}}})");
}

TEST_F(EntityChangesTest, FullStateNamesTheUpdateIfItIsLaterThanTheChange) {
  set("light.a", "on");
  clock_.advance(std::chrono::milliseconds(750));
  set("light.a", "on", R"({"x":1})");
  EXPECT_EQ(snapshot(), R"({"a":{"light.a":{"s":"on","a":{"x":1},"c":"one","lc":1700000000.5,"lu":1700000001.25}}})");
}

TEST_F(EntityChangesTest, NewValueMovesBothTimes) {
  set("light.a", "on", R"({"x":1})");
  forget();
  clock_.advance(std::chrono::seconds(1));
  set("light.a", "off", R"({"x":1})", {"two", {}, {}});
  EXPECT_EQ(only_change(), R"({"c":{"light.a":{"+":{"s":"off","lc":1700000001.5,"c":"two"}}}})");
}

TEST_F(EntityChangesTest, AttributesThatAreNewOrChangedOrGoneAreNamed) {
  set("light.a", "on", R"({"same":[1],"changed":1,"gone":true,"also":{}})");
  forget();
  clock_.advance(std::chrono::seconds(1));
  set("light.a", "on", R"({"same":[1],"changed":1.5,"new":null})");
  EXPECT_EQ(only_change(), R"({"c":{"light.a":{"+":{"lu":1700000001.5,"a":{"changed":1.5,"new":null}},)"
                           R"("-":{"a":["gone","also"]}}}})");
}

TEST_F(EntityChangesTest, ContextShowsItsChangedParts) {
  set("light.a", "1", "{}", {"one", "parent", "ann"});
  forget();
  set("light.a", "2", "{}", {"two", "parent", {}});
  EXPECT_EQ(only_change(), R"({"c":{"light.a":{"+":{"s":"2","c":{"user_id":null,"id":"two"}}}}})");
}

TEST_F(EntityChangesTest, NamesAndValuesAreEscaped) {
  set("light.a", "\"on\"\n", R"({"\"k\"":"v"})");
  forget();
  set("light.a", "\\", R"({"new \"k\"":1})");
  EXPECT_EQ(only_change(), R"({"c":{"light.a":{"+":{"s":"\\","a":{"new \"k\"":1}},"-":{"a":["\"k\""]}}}})");
}

TEST_F(EntityChangesTest, ChangesOfSeveralEntitiesShareAnObject) {
  set("light.a", "1");
  set("light.b", "1");
  forget();
  set("light.a", "2");
  set("light.c", "1");
  remove("light.b");
  EXPECT_EQ(only_change(), R"({"a":{"light.c":{"s":"1","a":{},"c":"one","lc":1700000000.5}},"r":["light.b"],)"
                           R"("c":{"light.a":{"+":{"s":"2"}}}})");
}

TEST_F(EntityChangesTest, SecondChangeOfAnEntityBeginsAnotherObject) {
  set("light.a", "1");
  forget();
  remove("light.a");
  set("light.a", "2");
  set("light.a", "3");
  EXPECT_EQ(changes(), (std::vector<std::string>{
                           R"({"r":["light.a"]})",
                           R"({"a":{"light.a":{"s":"2","a":{},"c":"one","lc":1700000000.5}}})",
                           R"({"c":{"light.a":{"+":{"s":"3"}}}})",
                       }));
}

TEST_F(EntityChangesTest, WhatLiesBeforeTheStartOrIsNotWantedIsLeftOut) {
  set("light.a", "1");
  set("light.b", "1");
  EXPECT_EQ(changes(1), (std::vector<std::string>{
                            R"({"a":{"light.b":{"s":"1","a":{},"c":"one","lc":1700000000.5}}})",
                        }));
  EXPECT_TRUE(changes(0, [](std::string_view) { return false; }).empty());
  EXPECT_TRUE(changes(2).empty());
}

TEST_F(EntityChangesTest, OtherEventsAreNoChanges) {
  const core::Subscription reported = hub_.bus.listen("state_reported", [](const core::Event&) {});
  set("light.a", "1");
  forget();
  set("light.a", "1");
  hub_.bus.fire("state_changed", R"({"entity_id":"light.a"})", core::Origin::remote, {"x", {}, {}});
  EXPECT_TRUE(changes().empty());
}

TEST_F(EntityChangesTest, MarkOfARestoredEntityGoesWithItsReport) {
  const auto id = *core::EntityId::parse("light.a");
  hub_.states.restore({core::State::create(id, "on", R"({"a":1})", {}, {"old", {}, {}})},
                      [](const core::State&) { return true; });
  set("light.a", "on", R"({"a":1})");
  EXPECT_EQ(only_change(), R"({"c":{"light.a":{"+":{},"-":{"a":["restored"]}}}})");
}

TEST_F(EntityChangesTest, LongObjectsEndAfterSomeEntities) {
  const std::string attributes = R"({"x":")" + std::string(100'000, 'x') + R"("})";
  for (char letter = 'a'; letter < 'g'; ++letter) set(std::string("light.") + letter, "1", attributes);
  EXPECT_EQ(changes().size(), 2u);
}

TEST_F(EntityChangesTest, ComparesAChangeOnceForAllWhoWantIt) {
  const std::string padding(120'000, 'x');
  set("light.a", "1", R"({"n":1,"x":")" + padding + R"("})");
  set("light.b", "1");
  forget();
  set("light.a", "1", R"({"n":2,"x":")" + padding + R"("})");
  set("light.b", "2");
  hub_.bus.run_pending();
  LiveBatch batch(events_);
  for (int subscription = 0; subscription < 2'000; ++subscription) {
    const auto texts = batch.changes().behind(0, [](std::string_view id) { return id == "light.a"; });
    ASSERT_EQ(texts, (std::vector<std::string>{R"({"c":{"light.a":{"+":{"a":{"n":2}}}}})"}));
  }
  EXPECT_EQ(batch.changes().compared(), 1u);
  EXPECT_EQ(batch.changes_for(1, 0).size(), 1u);
  EXPECT_EQ(batch.changes_for(2, 0).size(), 1u);
  EXPECT_EQ(batch.changes().compared(), 2u);
}

TEST_F(EntityChangesTest, MakesALongSnapshotPieceByPiece) {
  const std::string attributes = R"({"x":")" + std::string(1'000, 'x') + R"("})";
  for (int i = 0; i < 1'000; ++i) set(fmt::format("{}.n{}", i % 2 ? "light" : "sensor", i), "1", attributes);
  const auto parsed = base::parse_json(snapshot([](std::string_view id) { return id.starts_with("light."); }));
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->at("a").as_object().size(), 500u);
  EXPECT_GE(pieces_, 5);
}

}  // namespace
}  // namespace hearth::api
