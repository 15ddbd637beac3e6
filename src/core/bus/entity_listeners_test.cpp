// SPDX-License-Identifier: Apache-2.0
#include "core/bus/entity_listeners.h"

#include <gtest/gtest.h>

#include <optional>
#include <stdexcept>

#include "core/states/state_machine.h"

namespace hearth::core {
namespace {

using Listening = EntityListeners::Listening;

class EntityListenersTest : public testing::Test {
 protected:
  void set(std::string_view id, std::string_view value) {
    states_.set(*EntityId::parse(id), {value, "{}", Context{"c", {}, {}}}).value();
  }
  // Records each change under a name.
  EntityListeners::Callback note(std::string name) {
    return [this, name = std::move(name)](const StateChange& change, const Event&) {
      heard_ += name + ":" + std::string(change.entity_id()) + "=" +
                (change.new_state ? std::string(change.new_state->value()) : "gone") + " ";
    };
  }
  std::string heard() {
    bus_.run_pending();
    return std::exchange(heard_, "");
  }

  base::ManualClock clock_;
  EventBus bus_{clock_};
  StateMachine states_{bus_};
  EntityListeners listeners_{bus_};
  std::string heard_;
};

TEST_F(EntityListenersTest, GetChangesOfTheirEntitiesOnly) {
  const auto one = listeners_.listen({"light.a"}, note("one"));
  const auto two = listeners_.listen({"light.a", "light.b", "light.b"}, note("two"));
  set("light.a", "on");
  set("light.b", "on");
  set("light.c", "on");
  EXPECT_EQ("one:light.a=on two:light.a=on two:light.b=on ", heard());
  states_.remove("light.a", Context{"c", {}, {}}).value();
  EXPECT_EQ("one:light.a=gone two:light.a=gone ", heard());
}

// The bus thread wakes at once only for a change that is named.
TEST_F(EntityListenersTest, NameChangesOfTheirEntitiesAsLongAsSomebodyListens) {
  std::string named;
  const auto all = bus_.listen("state_changed", [&](const Event& event) {
    named += std::string(event.state_change()->entity_id()) + (event.named ? "!" : "") + " ";
  });
  const auto write = [&] {
    for (const std::string id : {"light.a", "light.b", "light.c"}) {
      set(id, "on");
      states_.remove(id, Context{"c", {}, {}}).value();
    }
    bus_.fire("state_changed", R"({"entity_id":"light.a"})", Origin::local, Context{"c", {}, {}}, FiredBy::client);
    bus_.run_pending();
    return std::exchange(named, "");
  };
  EXPECT_EQ("light.a light.a light.b light.b light.c light.c ", write());
  auto one = listeners_.listen({"light.a", "light.a"}, note("one"));
  auto two = listeners_.listen({"light.a", "light.b"}, note("two"));
  EXPECT_EQ("light.a! light.a! light.b! light.b! light.c light.c ", write());
  one = Listening();
  EXPECT_EQ("light.a! light.a! light.b! light.b! light.c light.c ", write());
  two = Listening();
  EXPECT_EQ("light.a light.a light.b light.b light.c light.c ", write());
}

TEST_F(EntityListenersTest, GetChangesFromTheirStartToTheirEnd) {
  auto first = listeners_.listen({"light.a"}, note("first"));
  set("light.a", "1");
  const auto second = listeners_.listen({"light.a"}, note("second"));  // after the change, before its event
  set("light.a", "2");
  EXPECT_EQ("first:light.a=1 first:light.a=2 second:light.a=2 ", heard());
  set("light.a", "3");
  first = Listening();  // likewise
  EXPECT_EQ("second:light.a=3 ", heard());
}

TEST_F(EntityListenersTest, GetTheChangesThatWaitIfTheyListenSinceThen) {
  Listening since;
  const auto first = listeners_.listen({"light.a"}, [&](const StateChange& change, const Event& event) {
    if (change.new_state->value() == "1") since = listeners_.listen_since(event.sequence, {"light.a"}, note("since"));
  });
  for (const char* const value : {"0", "1", "2", "3"}) set("light.a", value);
  EXPECT_EQ("since:light.a=2 since:light.a=3 ", heard());
}

TEST_F(EntityListenersTest, GetNoEventsOfClientsNamedStateChanged) {
  const auto listening = listeners_.listen({"light.a"}, note("one"));
  constexpr std::string_view kData = R"({"entity_id":"light.a","old_state":null,"new_state":null})";
  bus_.fire(event_type::kStateChanged, std::string(kData), Origin::local, Context{}, FiredBy::client);
  bus_.fire(event_type::kStateChanged, std::string(kData), Origin::local, Context{});
  EXPECT_EQ("", heard());
  states_.set(*EntityId::parse("light.a"), {"on", "{}", Context{"c", {}, "a user"}}).value();  // written by a client
  EXPECT_EQ("one:light.a=on ", heard());
}

TEST_F(EntityListenersTest, MayEndThemselvesAndOthersWhileTheyAreCalled) {
  std::optional<Listening> self, next, last;
  self = listeners_.listen({"light.a"}, [&, owned = std::make_shared<int>(7)](const StateChange&, const Event&) {
    self.reset();
    next.reset();
    heard_ += "ended " + std::to_string(*owned) + " ";
  });
  next = listeners_.listen({"light.a"}, note("next"));
  last = listeners_.listen({"light.a"}, note("last"));
  set("light.a", "on");
  EXPECT_EQ("ended 7 last:light.a=on ", heard());
  set("light.a", "off");
  EXPECT_EQ("last:light.a=off ", heard());
}

TEST_F(EntityListenersTest, MayAddOthersWhileTheyAreCalledWhichGetTheNextChange) {
  std::vector<Listening> more;
  const auto one = listeners_.listen({"light.a"}, [&](const StateChange&, const Event&) {
    more.push_back(listeners_.listen({"light.a"}, note("n" + std::to_string(more.size()))));
  });
  set("light.a", "1");
  set("light.a", "2");
  EXPECT_EQ("", heard());  // both were fired before
  set("light.a", "3");
  EXPECT_EQ("n0:light.a=3 n1:light.a=3 ", heard());
}

TEST_F(EntityListenersTest, AreCalledEvenIfOneBeforeThemThrows) {
  const auto one =
      listeners_.listen({"light.a"}, [](const StateChange&, const Event&) { throw std::runtime_error("no"); });
  const auto two = listeners_.listen({"light.a"}, note("two"));
  set("light.a", "on");
  EXPECT_EQ("two:light.a=on ", heard());
}

TEST_F(EntityListenersTest, CostAnEventOnlyTheListenersOfItsEntity) {
  std::vector<Listening> all;
  int calls = 0;
  for (int i = 0; i < 300; ++i) {
    all.push_back(
        listeners_.listen({"light.n" + std::to_string(i)}, [&](const StateChange&, const Event&) { ++calls; }));
  }
  // Together they are one listener of the bus.
  ASSERT_EQ(1u, bus_.listener_counts().size());
  EXPECT_EQ(1u, bus_.listener_counts()[0].count);
  for (int i = 0; i < 300; ++i) set("light.n7", std::to_string(i));
  bus_.run_pending();
  EXPECT_EQ(300, calls);
}

TEST_F(EntityListenersTest, DoNotListenToTheBusBeforeTheFirstOne) {
  EXPECT_TRUE(bus_.listener_counts().empty());
}

TEST_F(EntityListenersTest, AreNamedByTheirOwnLocationIfTheyHoldTheBus) {
  const auto line = std::source_location::current().line();
  const auto slow = listeners_.listen(
      {"light.a"}, [&](const StateChange&, const Event&) { clock_.advance(std::chrono::milliseconds(500)); });
  set("light.a", "on");
  bus_.run_pending();
  ASSERT_EQ(1u, bus_.watch().slow().size());
  EXPECT_EQ("src/core/bus/entity_listeners_test.cpp:" + std::to_string(line + 1), bus_.watch().slow()[0].where);
}

}  // namespace
}  // namespace hearth::core
