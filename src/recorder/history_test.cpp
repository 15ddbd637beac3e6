// SPDX-License-Identifier: Apache-2.0
// History is read as it was written: from the queue, the log and segments, and across them.
#include <gtest/gtest.h>

#include <deque>
#include <random>

#include "recorder/log/history_file.h"
#include "recorder/log/log_packer.h"
#include "recorder/test_history.h"
#include "storage/temporary_folder.h"

namespace hearth::recorder {
namespace {

using namespace std::chrono_literals;

class HistoryTest : public testing::Test {
 protected:
  std::int64_t count(std::string_view sql) {
    auto database = open_history(folder_ / "history.db").value();
    auto select = database.prepare(sql).value();
    select.step().value();
    return select.integer(0);
  }

  storage::TemporaryFolder folder_;
  base::ManualClock clock_;  // stands at midnight
  const base::Timestamp start_ = clock_.now();
};

TEST_F(HistoryTest, KeepsChangesAfterAClockThatWasYearsAhead) {
  TestHome home(clock_, folder_.path());
  const auto at = [&](base::Timestamp time, std::string_view value) {
    clock_.set(time);
    home.set("light.kitchen", value);
  };
  const auto all = [&](std::string_view expected) {
    EXPECT_EQ(expected, home.history("light.kitchen", start_, start_ + 24h));
    EXPECT_EQ("a", home.history("light.kitchen", start_, start_ + 90min));
    EXPECT_EQ("[a] c", home.history("light.kitchen", start_ + 90min, start_ + 2h));
    EXPECT_EQ("b", home.history("light.kitchen", start_ + 8 * 365 * 24h, start_ + 10 * 365 * 24h).substr(4));
  };
  at(start_ + 1h, "a");
  at(start_ + 9 * 365 * 24h, "b");
  home.save();
  home.maintain();  // the future is in a segment of its own
  at(start_ + 2h, "c");
  all("a c");  // from the queue
  home.save();
  all("a c");  // from the log
  at(start_ + 3h, "d");
  all("a c d");
  home.save();
  clock_.set(start_ + 30h);
  clock_.advance(24h);
  home.maintain();
  all("a c d");  // from segments
}

TEST_F(HistoryTest, IsInOrderOfTimeAfterAClockThatWasHoursAhead) {
  TestHome home(clock_, folder_.path());
  const auto at = [&](base::Duration time, std::string_view value) {
    clock_.set(start_ + time);
    home.set("light.kitchen", value);
  };
  const auto all = [&] {
    EXPECT_EQ("a c d b e", home.history("light.kitchen", start_, start_ + 24h));
    EXPECT_EQ("a c d", home.history("light.kitchen", start_, start_ + 5h));
    EXPECT_EQ("[c] d b", home.history("light.kitchen", start_ + 2h, start_ + 10h));
  };
  at(1h, "a");
  at(10h, "b");
  at(2h, "c");
  at(3h, "d");
  at(11h, "e");
  all();  // from the queue
  home.save();
  all();  // from the log
  clock_.advance(24h);
  home.maintain();
  all();  // from a segment
}

TEST_F(HistoryTest, HasTheStateAtTheStartAndTheChangesSince) {
  TestHome home(clock_, folder_.path());
  for (const auto value : {"off", "on", "off", "on"}) {
    clock_.advance(1h);
    home.set("light.kitchen", value);
    home.set("light.other", value);
  }
  const auto all = [&] {
    EXPECT_EQ("off on off on", home.history("light.kitchen", start_, start_ + 24h));
    EXPECT_EQ("[on] off on", home.history("light.kitchen", start_ + 2h, start_ + 24h));
    EXPECT_EQ("[on] off", home.history("light.kitchen", start_ + 2h + 1s, start_ + 3h));
    EXPECT_EQ("[on]", home.history("light.kitchen", start_ + 5h, start_ + 6h));
    EXPECT_EQ("", home.history("light.kitchen", start_ - 24h, start_));
    EXPECT_EQ("", home.history("light.unknown", start_, start_ + 24h));
  };
  all();  // from the queue
  home.save();
  all();  // from the log
  clock_.advance(24h);
  home.maintain();
  EXPECT_EQ(1, count("SELECT count(*) FROM changes"));
  all();  // from segments
}

TEST_F(HistoryTest, ReadsAcrossQueueLogAndSegments) {
  TestHome home(clock_, folder_.path());
  std::string expected;
  HistoryFileReader reader(*home.recorder);  // one for all, so that its index of the log must follow
  for (int i = 0; i < 60; ++i) {
    clock_.advance(1h);
    home.set("sensor.a", std::to_string(i));
    expected += (i ? " " : "") + std::to_string(i);
    if (i % 4 == 1) home.save();
    if (i % 10 == 5) home.maintain();
    ASSERT_EQ(expected, TestHome::history(reader, "sensor.a", start_, clock_.now()));
  }
  EXPECT_GT(count("SELECT count(*) FROM segments"), 1);
}

TEST_F(HistoryTest, EveryPartOfAChangeSurvivesPacking) {
  TestHome home(clock_, folder_.path());
  home.set("light.a", "on", R"({"brightness":1})", {"01ARZ3NDEKTSV4RRFFQ69G5FAV", "01PARENT", "ann"});
  clock_.advance(1s);
  home.set("light.a", "on", R"({"brightness":2})", {"01ARZ3NDEKTSV4RRFFQ69G5FAW", {}, {}});
  clock_.advance(1s);
  home.remove("light.a");
  HistoryFileReader reader(*home.recorder);
  const auto read = [&] {
    EntityHistory entity("light.a", {start_ - 1s, start_ + 1h});
    return entity.next(reader).value();
  };
  const auto queued = read();
  ASSERT_EQ(3u, queued.changes.size());
  EXPECT_EQ(start_, queued.changes[1].changed);
  EXPECT_EQ(start_ + 1s, queued.changes[1].updated);
  EXPECT_EQ("ann", queued.changes[0].user_id);
  EXPECT_EQ("01PARENT", queued.changes[0].parent_id);
  EXPECT_TRUE(queued.changes[2].removed);
  home.save();
  const auto logged = read();
  ASSERT_TRUE(std::ranges::equal(queued.changes, logged.changes));
  home.set("light.b", "on");
  clock_.advance(24h);
  home.save();
  home.maintain();
  EXPECT_EQ(0,
            count("SELECT count(*) FROM changes WHERE entity = (SELECT id FROM entities WHERE entity_id='light.a')"));
  EXPECT_TRUE(std::ranges::equal(queued.changes, read().changes));
}

TEST_F(HistoryTest, MergesADaysSegmentsAfterItEnded) {
  TestHome home(clock_, folder_.path());
  std::string expected;
  for (int part = 0; part < 5; ++part) {
    for (int i = 0; i < 10; ++i) {
      clock_.advance(1min);
      home.set("sensor.a", std::to_string(part * 10 + i));
      expected += (expected.empty() ? "" : " ") + std::to_string(part * 10 + i);
    }
    home.save();
    auto database = open_history(folder_ / "history.db").value();
    pack_log(database, INT64_MAX, [](std::string_view) { return true; }, Effort::thorough).value();
  }
  EXPECT_EQ(5, count("SELECT count(*) FROM segments"));
  clock_.advance(24h);
  home.maintain();
  EXPECT_EQ(1, count("SELECT count(*) FROM segments"));
  EXPECT_EQ(49, count("SELECT changes FROM segments"));
  EXPECT_EQ(expected, home.history("sensor.a", start_, clock_.now()));
}

// A reader has had a part of a day when the day's segments become one: each change comes once, also where the parts
// meet at one moment.
TEST_F(HistoryTest, IsReadOnceWhileItsDaysAreMerged) {
  TestHome home(clock_, folder_.path());
  std::string expected;
  constexpr int kParts = 6;
  for (int part = 0; part < kParts; ++part) {
    for (int i = 0; i < 10; ++i) {
      if (i > 2) clock_.advance(1min);
      home.set("sensor.a", std::to_string(part * 10 + i));
      expected += (expected.empty() ? "" : " ") + std::to_string(part * 10 + i);
    }
    home.save();
    auto database = open_history(folder_ / "history.db").value();
    pack_log(database, INT64_MAX, [](std::string_view) { return true; }, Effort::thorough).value();
  }
  clock_.advance(24h);
  home.save();
  HistoryFileReader reader(*home.recorder);
  std::deque<EntityHistory> questions;
  for (int part = 0; part < kParts; ++part) questions.emplace_back("sensor.a", Span{start_ - 1s, clock_.now()});
  std::vector<std::string> read(kParts);
  const auto take = [&](std::size_t question) {
    const auto piece = questions[question].next(reader).value();
    for (const Change& change : piece.changes)
      read[question] += (read[question].empty() ? "" : " ") + std::string(change.value);
    return piece.more;
  };
  for (std::size_t question = 0; question < kParts; ++question) {
    for (std::size_t pieces = 0; pieces < question; ++pieces) take(question);
  }
  ASSERT_EQ(kParts, count("SELECT count(*) FROM segments"));
  home.maintain();
  ASSERT_EQ(1, count("SELECT count(*) FROM segments"));
  for (std::size_t question = 0; question < kParts; ++question) {
    while (take(question)) {
    }
    EXPECT_EQ(expected, read[question]) << question << " pieces before";
  }
}

TEST_F(HistoryTest, StoresAttributesOncePerSet) {
  TestHome home(clock_, folder_.path());
  for (int i = 0; i < 100; ++i) {
    clock_.advance(1s);
    home.set("light.a", i % 2 ? "on" : "off", i % 2 ? R"({"brightness":1})" : R"({"brightness":2})");
    home.set("light.b", std::to_string(i), R"({"brightness":1})");
  }
  home.save();
  EXPECT_EQ(2, count("SELECT count(*) FROM attribute_sets"));
}

TEST_F(HistoryTest, RestoresUnsavedStatesFromTheLog) {
  std::string before;
  {
    TestHome home(clock_, folder_.path());
    home.set("light.a", "off");
    home.set("light.gone", "on");
    home.save();
    clock_.advance(1s);
    home.set("light.a", "on", R"({"brightness":7})", {"01ARZ3NDEKTSV4RRFFQ69G5FAV", {}, "ann"});
    home.set("light.new", "on");
    home.remove("light.gone");
    home.recorder->commit().value();  // then the power fails: the last states were not saved
    before = home.json("light.a");
    auto copy = folder_.path() / "copy";
    std::filesystem::create_directory(copy);
    for (const auto name : {"home.db", "home.db-wal", "history.db", "history.db-wal"})
      std::filesystem::copy(folder_ / name, copy / name);
  }
  TestHome home(clock_, folder_.path() / "copy");
  EXPECT_EQ(2u, home.restored);
  EXPECT_EQ(before, home.json("light.a"));
  EXPECT_NE("none", home.json("light.new"));
  EXPECT_EQ("none", home.json("light.gone"));
}

TEST_F(HistoryTest, RestoresWhatCameAfterAClockThatWasAhead) {
  const auto copy = folder_.path() / "copy";
  {
    TestHome home(clock_, folder_.path());
    const base::Timestamp right = clock_.now();
    clock_.set(right + std::chrono::days(3650));
    home.set("light.a", "ahead");
    home.save();
    clock_.set(right + 1s);
    home.set("light.a", "after");
    home.recorder->commit().value();  // then the power fails
    std::filesystem::create_directory(copy);
    for (const auto name : {"home.db", "home.db-wal", "history.db", "history.db-wal"})
      std::filesystem::copy(folder_ / name, copy / name);
  }
  TestHome home(clock_, copy);
  EXPECT_EQ("after", home.hub.states.find("light.a")->value());
}

TEST_F(HistoryTest, LosesNoLastStateToPacking) {
  {
    TestHome home(clock_, folder_.path());
    for (int i = 0; i < 10; ++i) home.set("light.l" + std::to_string(i), "on");
    home.recorder->commit().value();
    clock_.advance(24h);
    home.maintain();
    auto copy = folder_.path() / "copy";
    std::filesystem::create_directory(copy);
    for (const auto name : {"home.db", "home.db-wal", "history.db", "history.db-wal"})
      std::filesystem::copy(folder_ / name, copy / name);
  }
  EXPECT_EQ(10u, TestHome(clock_, folder_.path() / "copy").restored);
}

TEST_F(HistoryTest, ContinuesItsNumbersAfterARestart) {
  for (int run = 0; run < 3; ++run) {
    TestHome home(clock_, folder_.path());
    clock_.advance(1s);
    home.set("light.a", std::to_string(run));
    home.save();
  }
  TestHome home(clock_, folder_.path());
  EXPECT_EQ("0 1 2", home.history("light.a", start_, clock_.now()));
}

TEST_F(HistoryTest, KeepsManyEntitiesApartAtRandom) {
  TestHome home(clock_, folder_.path());
  std::mt19937 random(5);
  std::map<std::string, std::string> expected;
  for (int i = 0; i < 3'000; ++i) {
    const std::string id = "sensor.s" + std::to_string(random() % 20);
    clock_.advance(std::chrono::seconds(random() % 120));
    home.set(id, std::to_string(i));
    expected[id] += (expected[id].empty() ? "" : " ") + std::to_string(i);
    if (random() % 100 == 0) home.save();
    if (random() % 500 == 0) home.maintain();
  }
  for (const auto& [id, values] : expected) EXPECT_EQ(values, home.history(id, start_ - 1s, clock_.now()));
}

TEST_F(HistoryTest, WritesOnlyTheNewestChangeOfEntitiesWithoutHistory) {
  RecorderOptions options;
  options.retention.filter.exclude = {{}, {"sensor"}, {}};
  TestHome home(clock_, folder_.path(), options);
  for (int i = 0; i < 100; ++i) {
    home.set("sensor.a", std::to_string(i));
    home.set("sensor.b", std::to_string(i));
    if (i % 10 == 0) home.set("light.a", std::to_string(i));
  }
  home.remove("sensor.b");
  home.recorder->commit().value();
  EXPECT_EQ(12, count("SELECT count(*) FROM changes"));
  EXPECT_EQ("0 10 20 30 40 50 60 70 80 90", home.history("light.a", start_ - 1s, start_ + 1h));
  auto copy = folder_.path() / "copy";
  std::filesystem::create_directory(copy);
  for (const auto name : {"home.db", "home.db-wal", "history.db", "history.db-wal"})
    std::filesystem::copy(folder_ / name, copy / name);
  TestHome after(clock_, copy, options);
  EXPECT_EQ("99", after.hub.states.find("sensor.a")->value());
  EXPECT_EQ("none", after.json("sensor.b"));
}

TEST_F(HistoryTest, PacksADayOnce) {
  TestHome home(clock_, folder_.path());
  for (int day = 0; day < 3; ++day) {
    for (int i = 0; i < 10; ++i) {
      clock_.advance(1min);
      home.set("sensor.a", std::to_string(10 * day + i));
      home.save();
      home.maintain();
    }
    EXPECT_EQ(day == 0 ? 10 : 11, count("SELECT count(*) FROM changes"));
    clock_.advance(24h - 10min);
    home.maintain();
    EXPECT_EQ(1, count("SELECT count(*) FROM changes"));
  }
  EXPECT_EQ(29, count("SELECT sum(changes) FROM segments"));
}

TEST_F(HistoryTest, IsReadableWhileOvertakenChangesLeaveTheQueue) {
  TestHome home(clock_, folder_.path());
  open_history(folder_ / "history.db")
      .value()
      .execute("CREATE TRIGGER refuse BEFORE INSERT ON changes BEGIN SELECT RAISE(ABORT, 'no room'); END")
      .value();
  HistoryFileReader reader(*home.recorder);
  home.set("light.first", "on");
  std::size_t last = 0;
  for (int round = 0; round < 2; ++round) {
    for (std::size_t i = 0; i < Recorder::kMaxWaiting; ++i, ++last) {
      home.hub.states.set(core::EntityId::parse("sensor.a").value(), {std::to_string(last), "{}", {"C", {}, {}}, false})
          .value();
      if (i % 1'000 == 0) home.hub.bus.run_pending();
    }
    home.hub.bus.run_pending();
    EXPECT_EQ("on", TestHome::history(reader, "light.first", start_ - 1s, clock_.now()));
    EXPECT_TRUE(TestHome::history(reader, "sensor.a", start_ - 1s, clock_.now()).ends_with(std::to_string(last - 1)));
  }
}

}  // namespace
}  // namespace hearth::recorder
