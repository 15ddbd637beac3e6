// SPDX-License-Identifier: Apache-2.0
#include "recorder/journal/last_states.h"

#include <gtest/gtest.h>

#include "core/hub.h"
#include "recorder/recorder.h"
#include "storage/temporary_folder.h"

namespace hearth::recorder {
namespace {

using namespace std::chrono_literals;
using namespace std::string_view_literals;

// A hub without threads, with a recorder that listens.
struct RecordedHome {
  RecordedHome(const base::Clock& clock, const std::filesystem::path& folder)
      : hub(clock), recorder(Recorder::open(folder, clock).value()) {
    restored = recorder->restore(hub.states).value();
    recorder->listen(hub.bus);
  }

  void set(std::string_view id, std::string_view value, std::string_view attributes = "{}",
           core::Context context = {"C", {}, {}}) {
    hub.states.set(core::EntityId::parse(id).value(), {value, attributes, std::move(context), false}).value();
    hub.bus.run_pending();
  }
  void save() {
    hub.bus.run_pending();
    recorder->commit().value();
    recorder->save_states().value();
  }
  std::string json(std::string_view id) const {
    const auto state = hub.states.find(id);
    return state ? std::string(state->json()) : "none";
  }

  core::Hub hub;
  std::unique_ptr<Recorder> recorder;
  std::size_t restored = 0;
};

class LastStatesTest : public testing::Test {
 protected:
  std::filesystem::path file() const { return folder_ / "home.db"; }
  const std::filesystem::path& folder() const { return folder_.path(); }

  storage::TemporaryFolder folder_;
  base::ManualClock clock_;
};

TEST_F(LastStatesTest, RestoresAStateAsItWas) {
  std::string before;
  {
    RecordedHome home(clock_, folder());
    home.set("light.kitchen", "on", R"({"brightness":180,"name":"Küche \"1\"","x":[1,1.0,21.5,null]})",
             {"01ARZ3NDEKTSV4RRFFQ69G5FAV", "01BX5ZZKBKACTAV9WEVGEMMVRZ", "0123456789abcdef"});
    clock_.advance(90s + 7us);
    home.set("light.kitchen", "on", R"({"brightness":181})", {"01ARZ3NDEKTSV4RRFFQ69G5FAW", {}, "user"});
    home.save();
    before = home.json("light.kitchen");
  }
  clock_.advance(24h);
  RecordedHome home(clock_, folder());
  EXPECT_EQ(1u, home.restored);
  EXPECT_EQ(before, home.json("light.kitchen"));
  const auto state = home.hub.states.find("light.kitchen");
  EXPECT_EQ(90s + 7us, state->last_updated() - state->last_changed());
  EXPECT_EQ((core::Context{"01ARZ3NDEKTSV4RRFFQ69G5FAW", {}, "user"}), state->context());
}

TEST_F(LastStatesTest, NumbersChangesAfterTheMarkEvenIfTheLogHasLostItsEnd) {
  {
    RecordedHome home(clock_, folder());
    home.set("light.a", "on");
    home.set("light.a", "off");
    home.save();
  }
  auto history = storage::Database::open(folder() / "history.db").value();
  history.execute("DELETE FROM changes").value();
  RecordedHome home(clock_, folder());
  home.set("light.b", "on");
  home.recorder->commit().value();
  auto select = history.prepare("SELECT id FROM changes").value();
  ASSERT_TRUE(select.step().value());
  EXPECT_EQ(3, select.integer(0));
}

TEST_F(LastStatesTest, KeepsTextOfAnyKind) {
  std::string before;
  {
    RecordedHome home(clock_, folder());
    home.set("sensor.text", "a\0b\n\"家\""sv, R"({"":"\u0000"})");
    home.set("sensor.empty", "");
    home.save();
    before = home.json("sensor.text");
  }
  RecordedHome home(clock_, folder());
  EXPECT_EQ(before, home.json("sensor.text"));
  EXPECT_EQ("", home.hub.states.find("sensor.empty")->value());
}

TEST_F(LastStatesTest, RestoresWithoutEvents) {
  {
    RecordedHome home(clock_, folder());
    home.set("light.kitchen", "on");
    home.save();
  }
  core::Hub hub(clock_);
  int events = 0;
  const auto all = hub.bus.listen("*", [&](const core::Event&) { ++events; });
  EXPECT_EQ(1u, Recorder::open(folder(), clock_).value()->restore(hub.states).value());
  hub.bus.run_pending();
  EXPECT_EQ(0, events);
  EXPECT_EQ(1u, hub.states.snapshot()->size());
}

TEST_F(LastStatesTest, ForgetsRemovedEntities) {
  {
    RecordedHome home(clock_, folder());
    home.set("light.kitchen", "on");
    home.set("light.hall", "on");
    home.save();
    home.hub.states.remove("light.kitchen", {"C", {}, {}}).value();
    home.save();
    // Created and removed between two writes.
    home.set("light.attic", "on");
    home.hub.states.remove("light.attic", {"C", {}, {}}).value();
    home.save();
  }
  RecordedHome home(clock_, folder());
  EXPECT_EQ(1u, home.restored);
  EXPECT_EQ("none", home.json("light.kitchen"));
  EXPECT_EQ("none", home.json("light.attic"));
}

TEST_F(LastStatesTest, KeepsAnEntityRemovedAndCreatedAgain) {
  {
    RecordedHome home(clock_, folder());
    home.set("light.kitchen", "on");
    home.save();
    home.hub.states.remove("light.kitchen", {"C", {}, {}}).value();
    home.set("light.kitchen", "off");
    home.save();
  }
  RecordedHome home(clock_, folder());
  EXPECT_EQ("off", home.hub.states.find("light.kitchen")->value());
}

std::size_t state_listeners(const core::EventBus& bus) {
  for (const auto& [type, count] : bus.listener_counts()) {
    if (type == core::event_type::kStateChanged) return count;
  }
  return 0;
}

TEST_F(LastStatesTest, CountsAsOneListenerUntilItStops) {
  const std::size_t without = state_listeners(core::Hub(clock_).bus);
  RecordedHome home(clock_, folder());
  EXPECT_EQ(without + 1, state_listeners(home.hub.bus));
  home.recorder->stop();
  EXPECT_EQ(without, state_listeners(home.hub.bus));
}

TEST_F(LastStatesTest, IgnoresAClientsEventNamedStateChanged) {
  RecordedHome home(clock_, folder());
  home.hub.bus.fire("state_changed", R"({"entity_id":"light.kitchen"})", core::Origin::remote, {"C", {}, {}});
  home.save();
  EXPECT_EQ(0u, RecordedHome(clock_, folder()).restored);
}

TEST_F(LastStatesTest, SkipsRowsThatMakeNoState) {
  {
    RecordedHome home(clock_, folder());
    for (const auto id : {"a.good", "a.id", "a.json", "a.array", "a.text", "a.long"}) home.set(id, "on");
    home.save();
  }
  auto other = storage::Database::open(file()).value();
  other.execute("UPDATE last_states SET entity_id = 'no id' WHERE entity_id = 'a.id'").value();
  other.execute("UPDATE last_states SET attributes = '{' WHERE entity_id = 'a.json'").value();
  other.execute("UPDATE last_states SET attributes = '[]' WHERE entity_id = 'a.array'").value();
  other.execute("UPDATE last_states SET value = CAST(x'FF' AS TEXT) WHERE entity_id = 'a.text'").value();
  other.run("UPDATE last_states SET value = ? WHERE entity_id = 'a.long'", std::string(256, 'a')).value();
  RecordedHome home(clock_, folder());
  EXPECT_EQ(1u, home.restored);
  EXPECT_NE("none", home.json("a.good"));
}

TEST_F(LastStatesTest, WritesWhatIsLeftWhenItStops) {
  {
    core::Hub hub(clock_);
    const auto recorder = Recorder::open(folder(), clock_, {24h, {}}).value();
    recorder->listen(hub.bus);
    recorder->start();
    hub.bus.start();
    hub.states.set(core::EntityId::parse("light.kitchen").value(), {"on", "{}", {"C", {}, {}}, false}).value();
    hub.bus.stop();
    recorder->stop();
  }
  EXPECT_EQ(1u, RecordedHome(clock_, folder()).restored);
}

TEST_F(LastStatesTest, RefusesAFileOfANewerProgram) {
  {
    auto database = storage::Database::open(file()).value();
    static_cast<void>(LastStates::open(file()).value());
    database.execute("UPDATE schema_version SET version = 99 WHERE module = 'recorder'").value();
  }
  EXPECT_FALSE(LastStates::open(file()));
}

}  // namespace
}  // namespace hearth::recorder
