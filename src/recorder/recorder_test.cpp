// SPDX-License-Identifier: Apache-2.0
#include "recorder/recorder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <future>
#include <stdexcept>

#include "base/log/log.h"
#include "base/testing/wait_until.h"
#include "recorder/log/history_file.h"
#include "recorder/test_history.h"
#include "storage/temporary_folder.h"

namespace hearth::recorder {
namespace {

using namespace std::chrono_literals;

class RecorderTest : public testing::Test {
 protected:
  // From now on refuses every change, or some.
  void refuse(const std::string& which = "true") {
    open_history(folder_ / "history.db")
        .value()
        .execute("CREATE TRIGGER refuse BEFORE INSERT ON changes WHEN " + which +
                 " BEGIN SELECT RAISE(ABORT, 'no room'); END")
        .value();
  }
  void allow() { open_history(folder_ / "history.db").value().execute("DROP TRIGGER refuse").value(); }

  storage::TemporaryFolder folder_;
  base::ManualClock clock_;
  const base::Timestamp start_ = clock_.now();
};

TEST_F(RecorderTest, ReportsAFailureAndRecovers) {
  TestHome home(clock_, folder_.path());
  std::vector<bool> told;
  home.recorder->on_health([&](const Recorder::Health& health) { told.push_back(health.failing); });
  home.set("light.a", "on");
  home.save();
  refuse();
  home.set("light.a", "off");
  EXPECT_FALSE(home.recorder->commit());
  EXPECT_FALSE(home.recorder->commit());
  const auto health = home.recorder->health();
  EXPECT_TRUE(health.failing);
  EXPECT_NE(std::string::npos, health.last_error.find("no room"));
  EXPECT_EQ(1u, health.waiting);
  EXPECT_EQ("on off", home.history("light.a", start_ - 1s, start_ + 1h));
  allow();
  EXPECT_TRUE(home.recorder->commit());
  EXPECT_FALSE(home.recorder->health().failing);
  EXPECT_EQ(0u, home.recorder->health().waiting);
  EXPECT_EQ("on off", home.history("light.a", start_ - 1s, start_ + 1h));
  EXPECT_EQ((std::vector<bool>{true, false}), told);
}

TEST_F(RecorderTest, SavesAllAtOnceWhenAsked) {
  RecorderOptions slow;
  slow.commit_interval = 24h;
  TestHome home(clock_, folder_.path(), slow);
  home.recorder->start();
  const auto save = [&] {
    std::promise<base::Result<void>> saved;
    home.recorder->save([&](base::Result<void> done) { saved.set_value(std::move(done)); });
    return base::wait_for(saved.get_future());
  };
  home.set("light.a", "on");
  EXPECT_TRUE(save());
  std::vector<std::string> left_out;
  EXPECT_EQ("on", LastStates::open(folder_ / "home.db")->load({}, left_out)->at("light.a")->value());
  EXPECT_EQ(0u, home.recorder->health().waiting);
  EXPECT_TRUE(save());  // nothing is left
  refuse();
  home.set("light.a", "off");
  const auto failed = save();
  ASSERT_FALSE(failed);
  EXPECT_NE(std::string::npos, failed.error().message.find("no room"));
  allow();
}

TEST_F(RecorderTest, DropsOvertakenChangesIfTooManyWait) {
  TestHome home(clock_, folder_.path());
  refuse();
  constexpr std::size_t kMany = Recorder::kMaxWaiting + 10;
  for (std::size_t i = 0; i < kMany; ++i) {
    home.hub.states
        .set(core::EntityId::parse("sensor.s" + std::to_string(i % 7)).value(),
             {std::to_string(i), "{}", {"C", {}, {}}, false})
        .value();
    if (i % 1'000 == 0) home.hub.bus.run_pending();
  }
  home.hub.bus.run_pending();
  EXPECT_FALSE(home.recorder->commit());
  const auto health = home.recorder->health();
  EXPECT_LE(health.waiting, 20u);
  EXPECT_EQ(kMany, health.waiting + health.dropped);
  allow();
  home.save();
  for (std::size_t i = kMany - 7; i < kMany; ++i) {
    const std::string id = "sensor.s" + std::to_string(i % 7);
    EXPECT_TRUE(home.history(id, start_ - 1s, start_ + 1h).ends_with(std::to_string(i)));
  }
}

TEST_F(RecorderTest, SaysThatChangesAreDroppedOnlyIfOneIs) {
  TestHome home(clock_, folder_.path());
  refuse();
  base::recent_log().clear();
  const auto said = [] {
    return std::ranges::any_of(base::recent_log().records(), [](const base::LogRecordPtr& record) {
      return record->message.contains("the oldest are dropped");
    });
  };
  const std::string attributes = R"({"a":")" + std::string(250'000, 'x') + "\"}";
  constexpr std::size_t kMany = Recorder::kMaxWaitingBytes / 250'000 + 10;
  for (std::size_t i = 0; i < kMany; ++i) home.set("sensor.s" + std::to_string(i), "on", attributes);
  EXPECT_EQ(kMany, home.recorder->health().waiting);  // none is overtaken by a newer one
  EXPECT_EQ(0u, home.recorder->health().dropped);
  EXPECT_FALSE(said());
  for (std::size_t i = 0; i < 2 * kMany; ++i) home.set("sensor.s0", std::to_string(i), attributes);
  EXPECT_LT(0u, home.recorder->health().dropped);
  EXPECT_TRUE(said());
  allow();
}

TEST_F(RecorderTest, KeepsOnlyTheNewestChangeOfEntitiesWithoutHistory) {
  RecorderOptions options;
  options.retention.filter.exclude = {{}, {"sensor"}, {}};
  {
    TestHome home(clock_, folder_.path(), options);
    const auto change_sensors = [&] {
      for (int i = 0; i < 100; ++i) home.set("sensor.s" + std::to_string(i % 2), std::to_string(i));
    };
    refuse();
    change_sensors();
    EXPECT_FALSE(home.recorder->commit());
    EXPECT_EQ(2u, home.recorder->health().waiting);
    allow();
    home.recorder->commit().value();
    EXPECT_EQ(100u, home.recorder->health().committed);
    // They keep their order after changes with history.
    refuse("NEW.id > 101");
    home.set("light.a", "on");
    change_sensors();
    EXPECT_FALSE(home.recorder->commit());
    EXPECT_EQ(101u, home.recorder->health().waiting);
    HistoryFileReader reader(*home.recorder);
    EXPECT_TRUE(reader.events(start_ - 1s, start_ + 1h, [](const auto&) { return false; }).value());
    EXPECT_EQ("on", TestHome::history(reader, "light.a", start_ - 1s, start_ + 1h));
    allow();
    home.remove("sensor.s0");
    home.recorder->commit().value();
    EXPECT_EQ(0u, home.recorder->health().waiting);
    EXPECT_EQ(202u, home.recorder->health().committed);
  }
  TestHome home(clock_, folder_.path(), options);
  EXPECT_EQ("none", home.json("sensor.s0"));
  EXPECT_EQ("99", home.hub.states.find("sensor.s1")->value());
  EXPECT_EQ("on", home.hub.states.find("light.a")->value());
}

TEST_F(RecorderTest, DatesAReturnByItsUpdate) {
  TestHome home(clock_, folder_.path());
  home.set("light.a", "on");
  clock_.advance(1h);
  home.set("light.a", "unavailable");
  clock_.advance(1min);
  core::StateMachine::Write write{
      .value = "on", .attributes_json = "{}", .context = core::Context::create(clock_.now())};
  write.times = {start_, clock_.now()};  // in the hub there it is on since then
  home.hub.states.set(core::EntityId::parse("light.a").value(), std::move(write)).value();
  home.hub.bus.run_pending();
  home.save();
  EXPECT_EQ("on unavailable on", home.history("light.a", start_ - 1s, start_ + 2h));
  HistoryFileReader reader(*home.recorder);
  EntityHistory entity("light.a", {start_ + 1s, start_ + 2h});
  const auto piece = entity.next(reader).value();
  ASSERT_EQ(2u, piece.changes.size());
  for (const Change& change : piece.changes) EXPECT_EQ(change.changed, change.updated);
  EXPECT_EQ(home.hub.states.find("light.a")->last_changed(), start_);
}

TEST_F(RecorderTest, WritesNothingButTheLastStateOfWhatIsKeptElsewhere) {
  RecorderOptions options;
  options.retention.elsewhere = [](std::string_view id) { return id.starts_with("sensor."); };
  const storage::TemporaryFolder crashed;
  {
    TestHome home(clock_, folder_.path(), options);
    refuse("NEW.id < 101");
    for (int i = 1; i <= 100; ++i) home.set("sensor.far", std::to_string(i));
    home.set("light.a", "on");
    home.recorder->commit().value();
    EXPECT_EQ(101u, home.recorder->health().committed);
    EXPECT_EQ(0u, home.recorder->health().waiting);
    HistoryFileReader reader(*home.recorder);
    EXPECT_EQ("", TestHome::history(reader, "sensor.far", start_ - 1s, start_ + 1h));
    EXPECT_EQ("on", TestHome::history(reader, "light.a", start_ - 1s, start_ + 1h));
    home.save();
    home.set("sensor.far", "101");
    home.recorder->commit().value();
    std::filesystem::copy(folder_.path(), crashed.path(), std::filesystem::copy_options::recursive);
  }
  // After a crash it is as it was saved last.
  TestHome home(clock_, crashed.path(), options);
  EXPECT_EQ("100", home.hub.states.find("sensor.far")->value());
  EXPECT_EQ("on", home.hub.states.find("light.a")->value());
}

TEST_F(RecorderTest, CopiesWaitingChangesPieceByPiece) {
  TestHome home(clock_, folder_.path());
  constexpr std::size_t kMany = 2 * Recorder::kWaitingPiece + 100;
  for (std::size_t i = 0; i < kMany; ++i) home.set("sensor.a", std::to_string(i));
  EXPECT_EQ(Recorder::kWaitingPiece, home.recorder->waiting_piece(0).entries.size());
  EXPECT_EQ(100u, home.recorder->waiting_piece(2 * Recorder::kWaitingPiece).entries.size());

  const auto waiting = home.recorder->waiting_after(0);
  EXPECT_EQ(kMany, waiting.count);
  ASSERT_EQ(kMany, waiting.entries.size());
  for (std::size_t i = 0; i < kMany; ++i) {
    ASSERT_EQ(static_cast<std::int64_t>(i) + 1, waiting.entries[i].id);
    ASSERT_EQ(std::to_string(i), waiting.entries[i].state->value());
  }
  home.save();
  EXPECT_TRUE(home.recorder->waiting_after(0).entries.empty());
}

TEST_F(RecorderTest, CallsBackOnceAllIsOnTheDisk) {
  TestHome home(clock_, folder_.path(), {0s, {}});
  EXPECT_TRUE(home.recorder->immediate());
  int answers = 0;
  const auto ask = [&](bool expected) {
    home.recorder->when_committed(0, [&answers, expected](const base::Result<void>& saved) {
      EXPECT_EQ(expected, saved.has_value());
      ++answers;
    });
    home.hub.bus.run_pending();
  };
  ask(true);
  EXPECT_EQ(1, answers);  // nothing waits
  home.set("light.a", "on");
  ask(true);
  EXPECT_EQ(1, answers);
  home.recorder->commit().value();
  EXPECT_EQ(2, answers);
  refuse();
  home.set("light.a", "off");
  ask(false);
  EXPECT_FALSE(home.recorder->commit());
  EXPECT_EQ(3, answers);
}

TEST_F(RecorderTest, ReplacesADamagedFile) {
  TestHome home(clock_, folder_.path());
  HistoryFileReader reader(*home.recorder);
  for (int i = 0; i < 2'000; ++i) home.set("sensor.a", std::to_string(i), R"({"n":)" + std::to_string(i) + "}");
  home.save();
  open_history(folder_ / "history.db").value().execute("PRAGMA wal_checkpoint(TRUNCATE)").value();
  EXPECT_NE("", TestHome::history(reader, "sensor.a", start_ - 1s, clock_.now()));
  {
    const auto file = folder_ / "history.db";
    const auto size = std::filesystem::file_size(file);
    std::fstream out(file, std::ios::in | std::ios::out | std::ios::binary);
    out.seekp(4096);
    for (std::size_t i = 4096; i < size; ++i) out.put('\x5A');
  }
  clock_.advance(24h);
  home.set("sensor.a", "last");
  for (int attempt = 0; attempt < 3; ++attempt) {
    static_cast<void>(home.recorder->commit());
    static_cast<void>(home.recorder->maintain());
  }
  home.set("sensor.a", "and one more");
  EXPECT_TRUE(home.recorder->commit());
  EXPECT_GE(home.recorder->generation(), 1u);
  EXPECT_TRUE(TestHome::history(reader, "sensor.a", start_ - 1s, clock_.now()).ends_with("and one more"));
}

TEST_F(RecorderTest, KeepsEventsThatExplainChangesButNoneOfClients) {
  TestHome home(clock_, folder_.path());
  using core::FiredBy;
  const auto fire = [&](std::string_view type, core::Origin origin, FiredBy by) {
    home.hub.bus.fire(type, R"({"name":"x"})", origin, {"01ARZ3NDEKTSV4RRFFQ69G5FAV", {}, "ann"}, by);
    home.hub.bus.run_pending();
  };
  fire("automation_triggered", core::Origin::local, FiredBy::hub);
  fire("automation_triggered", core::Origin::remote, FiredBy::client);
  fire("automation_triggered", core::Origin::local, FiredBy::client);
  fire("something_else", core::Origin::local, FiredBy::hub);
  HistoryFileReader reader(*home.recorder);
  for (int round = 0; round < 2; ++round) {
    std::vector<HistoryReader::KeptEvent> events;
    const auto take = [&](const HistoryReader::KeptEvent& event) { return events.push_back(event), true; };
    EXPECT_TRUE(reader.events(start_ - 1s, start_ + 1h, take).value());
    ASSERT_EQ(1u, events.size());
    EXPECT_EQ("automation_triggered", events[0].type);
    EXPECT_EQ("ann", events[0].context.user_id);
    home.save();
  }
}

TEST_F(RecorderTest, TakesTheHistoryOfAnEntityAlongToItsNewId) {
  TestHome home(clock_, folder_.path());
  core::RegisteredEntity lamp{.unique_id = "1", .integration = "demo"};
  home.hub.registry.put_entity(*core::EntityId::parse("light.a"), lamp).value();
  const auto rename = [&](const char* from, const char* to) {
    home.hub.registry.update_entity(from, {.new_entity_id = to}, {"C", {}, {}}).value();
    home.hub.bus.run_pending();
  };
  const auto history = [&](const char* id) { return home.history(id, start_ - 1s, clock_.now()); };
  const auto set = [&](const char* id, const char* value) {
    clock_.advance(1s);
    home.set(id, value);
  };
  set("light.a", "1");
  rename("light.a", "light.b");
  set("light.b", "2");
  home.remove("light.a");
  home.save();
  EXPECT_EQ(history("light.b"), "1 2");
  EXPECT_EQ(history("light.a"), "-");
  // Back again, which an id that was only left does not hinder.
  rename("light.b", "light.a");
  set("light.a", "3");
  home.remove("light.b");
  home.save();
  EXPECT_EQ(history("light.a"), "1 2 3");
  EXPECT_EQ(history("light.b"), "- -");
  // An id with a history of its own goes on with that.
  set("light.c", "old");
  home.remove("light.c");
  rename("light.a", "light.c");
  set("light.c", "new");
  home.save();
  EXPECT_EQ(history("light.c"), "old - new");
  EXPECT_EQ(history("light.a"), "1 2 3");
}

TEST_F(RecorderTest, MaintainsHistoryAmidManyChanges) {
  RecorderOptions slow;
  slow.commit_interval = 1h;
  TestHome home(clock_, folder_.path(), slow);
  home.set("light.a", "on");
  home.save();
  clock_.advance(24h);
  for (int i = 0; i < 2'000; ++i) home.set("light.a", std::to_string(i));
  // The day has ended, and too many changes wait for the thread to wait for the commit interval.
  std::promise<bool> purged;
  Recorder::Purge purge;
  purge.keep = Retention::kForever;
  purge.done = [&](const base::Result<void>& done) { purged.set_value(done.has_value()); };
  home.recorder->purge(std::move(purge)).value();
  home.recorder->start();
  EXPECT_TRUE(base::wait_for(purged.get_future()));
  EXPECT_EQ("", home.recorder->health().last_error);
  home.recorder->stop();
}

TEST_F(RecorderTest, SurvivesExceptions) {
  TestHome home(clock_, folder_.path());
  std::promise<void> thrown, purged;
  Recorder::Purge bad, good;
  bad.done = [&](const base::Result<void>&) {
    thrown.set_value();
    throw std::runtime_error("no room in memory");
  };
  good.done = [&](const base::Result<void>&) { purged.set_value(); };
  home.recorder->purge(std::move(bad)).value();
  home.recorder->start();
  base::wait_for(thrown.get_future());
  home.recorder->purge(std::move(good)).value();
  base::wait_for(purged.get_future());
  home.recorder->stop();
  EXPECT_EQ("no room in memory", home.recorder->health().last_error);
}

TEST_F(RecorderTest, RefusesChangesIfTooManyWait) {
  TestHome home(clock_, folder_.path());
  home.set("light.a", "on");
  std::size_t saved = 0, refused = 0;
  for (std::size_t i = 0; i < Recorder::kMaxWaiters + 3; ++i) {
    home.recorder->when_committed(0, [&](const base::Result<void>& done) { done ? ++saved : ++refused; });
    home.hub.bus.run_pending();
  }
  EXPECT_EQ(3u, refused);
  home.save();
  EXPECT_EQ(Recorder::kMaxWaiters, saved);
  for (std::size_t i = 0; i < Recorder::kMaxPurges; ++i) EXPECT_TRUE(home.recorder->purge({}));
  EXPECT_FALSE(home.recorder->purge({}));
}

}  // namespace
}  // namespace hearth::recorder
