// SPDX-License-Identifier: Apache-2.0
// Messages that a fleet's sites publish, in a real PostgreSQL: each row once, whatever is killed meanwhile.
#include "archive/fleet_store.h"

#include <gtest/gtest.h>

#include <thread>

#include "archive/fleet_writer.h"
#include "archive/postgres_schema.h"
#include "archive/test_fleet.h"
#include "archive/test_postgres.h"

namespace hearth::archive {
namespace {

using namespace std::chrono_literals;
using Rows = std::vector<std::string>;

class FleetStoreTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (TestPostgres::installed()) server_ = std::make_unique<TestPostgres>();
  }
  static void TearDownTestSuite() { server_.reset(); }
  void SetUp() override {
    if (!server_) GTEST_SKIP() << "PostgreSQL is not installed";
    url_ = server_->create();
  }

  std::unique_ptr<FleetStore> store(base::Duration keep = ArchiveOptions::kForever) {
    return make_fleet_store({.url = url_, .keep = keep}, clock_).value();
  }
  std::unique_ptr<FleetWriter> writer(const base::Clock& clock, std::size_t most = 1'000) {
    return std::make_unique<FleetWriter>(
        clock, std::make_unique<TestReader>(engine_, most), store(),
        [this](const std::string& site, const std::string& epoch, std::int64_t after, std::int64_t until) {
          asked_.push_back(fmt::format("{} {} {}-{}", site, epoch.front(), after, until));
        });
  }
  void write_all(FleetWriter& writer) {
    for (int tries = 0; writer.write_next().value(); ++tries) ASSERT_LT(tries, 1'000);
  }
  // A writer that holds the lock: the session of the writer before it ends a little later than that.
  std::unique_ptr<FleetWriter> only_writer() {
    auto made = writer(clock_);
    wait_until([&] {
      made->write_next().value();
      return made->status().holds_the_lock;
    });
    return made;
  }
  void write_all() { write_all(*only_writer()); }
  // Likewise of a store: a session that it has closed keeps the lock until PostgreSQL notices.
  static void hold(FleetStore& store) {
    wait_until([&] { return store.hold().value(); });
  }
  Rows rows(const std::string& sql) const { return TestPostgres::ask(url_, sql); }
  Rows states(const std::string& site) const {
    return rows("SELECT state FROM hearth.states WHERE site = '" + site + "' ORDER BY updated");
  }
  static void wait_until(const std::function<bool()>& done) {
    for (int tries = 0; !done(); ++tries) {
      ASSERT_LT(tries, 6'000);
      std::this_thread::sleep_for(10ms);
    }
  }

  static inline std::unique_ptr<TestPostgres> server_;
  base::ManualClock clock_;
  base::SystemClock real_clock_;
  TestEngine engine_;
  std::string url_;
  Rows asked_;
};

Rows numbers(std::int64_t from, std::int64_t to) {
  Rows all;
  for (std::int64_t number = from; number <= to; ++number) all.push_back(std::to_string(number));
  return all;
}

TEST_F(FleetStoreTest, WritesBatchesOfManySitesWithTheirPlace) {
  engine_.keep("lake", batch_of("lake", kEpochA, 0, 2,
                                {{.number = 1, .value = "a\tb\\N\n\"é"}, {.number = 2, .attributes = R"({"n":1.0})"}}));
  engine_.keep("hill", counted("hill", 0, 3));
  write_all();
  EXPECT_EQ((Rows{"lake sensor.a a\tb\\N\n\"é {}", "lake sensor.a on {\"n\":1.0}"}),
            rows("SELECT site, entity_id, state, attributes FROM hearth.states WHERE site = 'lake' ORDER BY updated"));
  EXPECT_EQ(numbers(1, 3), states("hill"));
  EXPECT_EQ(Rows{"engine-1 2"}, rows("SELECT engine, place FROM hearth.places"));
  EXPECT_EQ((Rows{"hill 3", "lake 2"}),
            rows("SELECT name, until FROM hearth.epochs JOIN hearth.sites ON sites.id = site ORDER BY name"));
}

TEST_F(FleetStoreTest, EachRowIsThereOnceAndInOrderWhoeverIsKilled) {
  constexpr std::int64_t kAll = 4'000, kStep = 5;
  for (int round = 0; round < 4; ++round) {
    const auto writer = this->writer(real_clock_, 20);
    writer->start();
    for (std::int64_t after = round * kAll / 4; after < (round + 1) * kAll / 4; after += kStep) {
      for (const auto* const site : {"lake", "hill"}) engine_.keep(site, counted(site, after, after + kStep));
      if (after % 100 == 0) engine_.keep("lake", counted("lake", std::max<std::int64_t>(after - 50, 0), after + kStep));
      if (after % 500 == 250 && round % 2 == 0) {
        server_->kill();
        server_->start();
      }
    }
    if (round % 2 == 0) wait_until([&] { return writer->status().holds_the_lock && writer->status().failure.empty(); });
  }  // the writer ends somewhere
  const auto last = writer(real_clock_);
  last->start();
  wait_until([&] { return rows("SELECT count(*) FROM hearth.changes") == Rows{std::to_string(2 * kAll)}; });
  for (const std::string site : {"lake", "hill"}) {
    EXPECT_EQ(numbers(1, kAll), states(site));
    EXPECT_EQ(numbers(1, kAll), rows("SELECT state FROM hearth.changes JOIN hearth.epochs ON epochs.id = epoch JOIN "
                                     "hearth.sites ON sites.id = site WHERE name = '" +
                                     site + "' ORDER BY sequence"));
  }
}

TEST_F(FleetStoreTest, GapsAreKeptAskedForAndClosed) {
  engine_.keep("lake", counted("lake", 0, 2));
  engine_.keep("lake", counted("lake", 10, 12));
  engine_.keep("lake", counted("lake", 3, 5));
  write_all();
  EXPECT_EQ((Rows{"2 3", "5 10"}), rows("SELECT after, until FROM hearth.gaps ORDER BY after"));
  EXPECT_EQ((Rows{"lake a 2-3", "lake a 5-10"}), asked_);
  asked_.clear();
  const auto again = only_writer();  // another one knows them, too
  write_all(*again);
  EXPECT_EQ((Rows{"lake a 2-3", "lake a 5-10"}), asked_);
  EXPECT_EQ(2u, again->status().gaps);
  engine_.keep("lake", counted("lake", 1, 9));
  write_all(*again);
  EXPECT_EQ(Rows{"9 10"}, rows("SELECT after, until FROM hearth.gaps"));
  engine_.keep("lake", counted("lake", 9, 10));
  write_all(*again);
  EXPECT_EQ(Rows{}, rows("SELECT after, until FROM hearth.gaps"));
  EXPECT_EQ(0u, again->status().gaps);
  EXPECT_EQ(numbers(1, 12), states("lake"));
}

TEST_F(FleetStoreTest, ASecondWriterWaitsAndTakesOverWhenTheSessionOfTheFirstEnds) {
  auto first = writer(clock_);
  engine_.keep("lake", counted("lake", 0, 2));
  write_all(*first);
  const auto second = writer(clock_);
  write_all(*second);
  EXPECT_TRUE(first->status().holds_the_lock);
  EXPECT_FALSE(second->status().holds_the_lock);
  engine_.keep("lake", counted("lake", 2, 4));
  first.reset();
  wait_until([&] {
    second->write_next().value();
    return second->status().holds_the_lock;
  });
  write_all(*second);
  EXPECT_EQ(numbers(1, 4), states("lake"));
}

TEST_F(FleetStoreTest, ARenamedEntityKeepsItsRowAndWhatComesLateNamesNobodyAnew) {
  engine_.keep("lake", batch_of("lake", kEpochA, 0, 2, {{1, "light.a", "1", 7}, {2, "light.b", "2", 8}}));
  engine_.keep("lake", batch_of("lake", kEpochA, 3, 4, {{4, "light.c", "4", 7}}));
  write_all();
  engine_.keep("lake", batch_of("lake", kEpochA, 2, 3, {{3, "light.a", "3", 7}}));
  write_all();
  EXPECT_EQ((Rows{"light.b", "light.c"}), rows("SELECT entity_id FROM hearth.entities ORDER BY entity_id"));
  // Two want the same name, and one of them has another name later.
  engine_.keep("lake", batch_of("lake", kEpochA, 4, 7,
                                {{5, "light.d", "5", 7}, {6, "light.d", "6", 8}, {7, "light.e", "7", 7}}));
  engine_.keep("fell", batch_of("fell", kEpochA, 0, 2, {{1, "light.a", "1", 7}, {2, "light.b", "2", 8}}));
  write_all();
  engine_.keep("fell", batch_of("fell", kEpochA, 2, 4, {{3, "light.z", "3", 7}, {4, "light.z", "4", 8}}));
  engine_.keep("hill", batch_of("hill", kEpochA, 0, 2, {{1, "light.x", "1", 7}, {2, "light.x", "2", 8}}));
  write_all();
  const auto of = [&](const std::string& id, const std::string& site = "lake") {
    return rows("SELECT state FROM hearth.states WHERE site = '" + site + "' AND entity_id = '" + id +
                "' ORDER BY updated");
  };
  EXPECT_EQ(Rows{}, of("light.a"));
  EXPECT_EQ((Rows{"1", "3", "4", "5", "7"}), of("light.e"));
  EXPECT_EQ((Rows{"2", "6"}), of("light.d"));
  EXPECT_EQ((Rows{"1", "2"}), of("light.x", "hill"));
  EXPECT_EQ((Rows{"2", "3", "4"}), of("light.z", "fell"));
  EXPECT_EQ(Rows{}, rows("SELECT reason FROM hearth.kept_aside"));
}

TEST_F(FleetStoreTest, OldEpochsAreHarmlessAndTooManyAreKeptAside) {
  engine_.keep("lake", counted("lake", 0, 2, kEpochB));
  engine_.keep("lake", counted("lake", 0, 1, kEpochA));
  engine_.keep("lake", counted("lake", 2, 3, kEpochB));
  write_all();
  EXPECT_EQ((Rows{"a 1", "b 3"}), rows("SELECT left(history, 1), until FROM hearth.epochs ORDER BY history"));
  for (int i = 0; i < 210; ++i) engine_.keep("hill", counted("hill", 0, 1, fmt::format("{:032x}", i)));
  write_all();
  EXPECT_EQ(Rows{"200"},
            rows("SELECT count(*) FROM hearth.epochs JOIN hearth.sites ON sites.id = site WHERE name = 'hill'"));
  EXPECT_EQ(Rows{"10 The site has had 200 other files of history already."},
            rows("SELECT count(*), reason FROM hearth.kept_aside GROUP BY reason"));
}

TEST_F(FleetStoreTest, WhatIsKeptAsideIsBoundedForEachSite) {
  for (int i = 0; i < 150; ++i) engine_.keep("hill", "garbage");
  for (int i = 0; i < 30; ++i) engine_.keep("moor", std::string(70'000, 'x'));
  engine_.keep("lake", "more");
  const auto writer = this->writer(clock_);
  write_all(*writer);
  EXPECT_EQ((Rows{"hill 100 51", "lake 1 181", "moor 16 165"}),
            rows("SELECT site, count(*), min(place) FROM hearth.kept_aside GROUP BY site ORDER BY site"));
  EXPECT_EQ(Rows{"more engine-1"},
            rows("SELECT convert_from(payload, 'UTF8'), engine FROM hearth.kept_aside WHERE site = 'lake'"));
  EXPECT_EQ(117u, writer->status().kept_aside);
}

TEST_F(FleetStoreTest, TextsThatPostgresRefusesFailAsInvalid) {
  auto store = this->store();
  hold(*store);
  store->begin().value();
  const std::string payload = batch_of("hill", kEpochA, 0, 1, {{.number = 1, .value = "\xFF"}});
  store->add(fleet::decode_batch({reinterpret_cast<const std::uint8_t*>(payload.data()), payload.size()}).value())
      .value();
  EXPECT_EQ(base::ErrorCode::invalid, store->commit("engine-1", 1).error().code);
  store->forget();
  hold(*store);
  EXPECT_EQ(0u, store->place("engine-1").value());
}

TEST_F(FleetStoreTest, TablesOfAnOlderHubAreUpgraded) {
  const Cancel cancel;
  auto connection = PostgresConnection::open(url_, cancel).value();
  prepare_schema(connection).value();
  connection
      .run(
          R"(DROP TABLE hearth.gaps, hearth.places, hearth.kept_aside, hearth.statistics;
             ALTER TABLE hearth.epochs DROP COLUMN until;
             ALTER TABLE hearth.changes DROP COLUMN measured;
             ALTER TABLE hearth.entities DROP COLUMN statistics_from, DROP COLUMN statistics_noted;
             DROP INDEX hearth.events_order;
             CREATE INDEX events_fired ON hearth.events USING brin(fired);
             UPDATE hearth.schema_version SET version = 1;
             INSERT INTO hearth.sites(name) VALUES('lake');
             INSERT INTO hearth.epochs(site, history) VALUES(1, ')" +
          kEpochA + "')")
      .value();
  engine_.keep("lake", counted("lake", 0, 2));
  write_all();
  EXPECT_EQ(numbers(1, 2), states("lake"));
  EXPECT_EQ(Rows{"1 2"}, rows("SELECT id, until FROM hearth.epochs"));
}

TEST_F(FleetStoreTest, MonthsThatEndedLongerAgoThanKeptAreDropped) {
  auto store = this->store(24h * 365);
  for (const std::int64_t step : {1, 2}) {
    hold(*store);
    store->begin().value();
    const auto year = std::chrono::days(step == 1 ? 700 : 0);
    const std::string payload =
        batch_of("lake", kEpochA, step - 1, step,
                 {{.number = step, .value = std::to_string(step), .updated = kFleetStart - year}});
    store->add(fleet::decode_batch({reinterpret_cast<const std::uint8_t*>(payload.data()), payload.size()}).value())
        .value();
    store->commit("engine-1", static_cast<std::uint64_t>(step)).value();
  }
  EXPECT_EQ(numbers(1, 2), states("lake"));
  clock_.advance(61min);
  hold(*store);
  EXPECT_EQ(numbers(2, 2), states("lake"));
}

}  // namespace
}  // namespace hearth::archive
