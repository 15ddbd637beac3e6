// SPDX-License-Identifier: Apache-2.0
#include "archive/fleet_writer.h"

#include <gtest/gtest.h>

#include <map>
#include <thread>

#include "archive/test_fleet.h"
#include "recorder/log/columns.h"

namespace hearth::archive {
namespace {

using namespace std::chrono_literals;

// Rows of a store, and its failures.
struct Kept {
  std::map<std::string, std::uint64_t> places;
  std::vector<std::vector<std::string>> transactions;  // each batch as `site after-until`
  std::vector<std::string> aside;                      // `site place reason`
  std::map<std::string, LogGaps> logs;                 // by site
  bool held_by_another = false;
  std::string failure = {};  // of all
  std::string refused = {};  // a site whose batches spoil a transaction
  std::size_t connections = 0;
  int maintained = 0;
};

class TestStore final : public FleetStore {
 public:
  explicit TestStore(Kept& kept) : kept_(kept) {}

  base::Result<bool> hold() override {
    if (!kept_.failure.empty()) return base::fail(base::ErrorCode::unavailable, kept_.failure);
    if (!connected_) ++kept_.connections;
    connected_ = true;
    return !kept_.held_by_another;
  }
  base::Result<std::uint64_t> place(const std::string& engine) override { return kept_.places[engine]; }
  base::Result<void> begin() override {
    now_.clear();
    aside_.clear();
    return {};
  }
  base::Result<void> add(const fleet::Batch& batch) override {
    now_.push_back(fmt::format("{} {}-{}", batch.site, batch.after, batch.until));
    spoilt_ |= batch.site == kept_.refused;
    kept_.logs[batch.site].cover(batch.after, batch.until);
    return {};
  }
  base::Result<void> keep_aside(const std::string&, const fleet::Message& message, std::string_view reason) override {
    aside_.push_back(fmt::format("{} {} {}", message.site, message.place, reason));
    return {};
  }
  std::size_t bytes() const override { return now_.size() * FleetWriter::kGroupBytes / 3; }
  base::Result<void> commit(const std::string& engine, std::uint64_t place) override {
    if (!kept_.failure.empty()) return base::fail(base::ErrorCode::unavailable, kept_.failure);
    if (spoilt_) return base::fail(base::ErrorCode::invalid, "It is no text.");
    kept_.transactions.push_back(now_);
    kept_.aside.insert(kept_.aside.end(), aside_.begin(), aside_.end());
    kept_.places[engine] = place;
    return {};
  }
  base::Result<bool> maintain() override { return ++kept_.maintained < 3; }
  void each_gap(const VisitGap& visit) override {
    for (auto& [site, log] : kept_.logs) {
      for (Gap& gap : log.gaps()) visit(site, kEpochA, gap);
    }
  }
  std::size_t kept_aside() const override { return kept_.aside.size(); }
  void forget() override { connected_ = spoilt_ = false; }
  void cancel() override {}

 private:
  Kept& kept_;
  bool connected_ = false, spoilt_ = false;
  std::vector<std::string> now_, aside_;
};

class FleetWriterTest : public testing::Test {
 protected:
  std::unique_ptr<FleetWriter> writer(std::size_t most = 1'000) {
    return std::make_unique<FleetWriter>(
        clock_, std::make_unique<TestReader>(engine_, most), std::make_unique<TestStore>(kept_),
        [this](const std::string& site, const std::string&, std::int64_t after, std::int64_t until) {
          asked_.push_back(fmt::format("{} {}-{}", site, after, until));
        });
  }
  void write_all(FleetWriter& writer) {
    for (int tries = 0; writer.write_next().value(); ++tries) ASSERT_LT(tries, 1'000);
  }

  base::ManualClock clock_;
  TestEngine engine_;
  Kept kept_;
  std::vector<std::string> asked_;
};

using Texts = std::vector<std::string>;

TEST_F(FleetWriterTest, WritesManyMessagesInFewTransactionsAndGoesOnFromItsPlace) {
  for (const auto* const site : {"lake", "hill", "moor", "fell"}) engine_.keep(site, counted(site, 0, 2));
  engine_.keep("lake", "a snapshot", fleet::Kind::snapshot);
  write_all(*writer());
  EXPECT_EQ((std::vector<Texts>{{"lake 0-2", "hill 0-2", "moor 0-2"}, {"fell 0-2"}}), kept_.transactions);
  EXPECT_EQ(5u, kept_.places["engine-1"]);
  engine_.keep("lake", counted("lake", 2, 3));
  write_all(*writer());
  EXPECT_EQ(Texts{"lake 2-3"}, kept_.transactions.back());
  EXPECT_EQ(3u, kept_.transactions.size());
}

TEST_F(FleetWriterTest, AnotherEngineIsReadFromItsStart) {
  engine_.keep("lake", counted("lake", 0, 2));
  auto writer = this->writer();
  write_all(*writer);
  engine_.begin_anew("engine-2");
  engine_.keep("lake", counted("lake", 2, 4));
  write_all(*writer);
  EXPECT_EQ((std::vector<Texts>{{"lake 0-2"}, {"lake 2-4"}}), kept_.transactions);
  EXPECT_EQ(1u, kept_.places["engine-2"]);
}

TEST_F(FleetWriterTest, ReadsWhatComesInThePlaceOfWhatTheEngineHasLost) {
  for (std::int64_t number = 0; number < 4; ++number) engine_.keep("lake", counted("lake", number, number + 1));
  auto writer = this->writer();
  write_all(*writer);
  engine_.lose(3);
  write_all(*writer);
  EXPECT_EQ(1u, kept_.places["engine-1"]);
  engine_.keep("lake", counted("lake", 4, 5));
  write_all(*writer);
  EXPECT_EQ(Texts{"lake 4-5"}, kept_.transactions.back());
}

TEST_F(FleetWriterTest, KeepsAsideWhatIsNoBatchOfTheSite) {
  engine_.keep("hill", counted("lake", 0, 2));
  engine_.keep("hill", "garbage");
  recorder::ColumnWriter newer;
  newer.number(9);
  engine_.keep("hill", std::string(newer.bytes()));
  engine_.keep("hill", batch_of("hill", kEpochA, 0, 1, {{.number = 1, .value = "\xFF"}}));
  engine_.keep("hill", batch_of("hill", kEpochA, 0, 1, {{.number = 1, .attributes = "{\"a\":"}}));
  engine_.keep("hill", batch_of("hill", std::string(31, 'a') + "'", 0, 1, {{.number = 1}}));
  engine_.keep("lake", counted("lake", 0, 2));
  auto writer = this->writer();
  write_all(*writer);
  EXPECT_EQ((std::vector<Texts>{{"lake 0-2"}}), kept_.transactions);
  ASSERT_EQ(6u, kept_.aside.size());
  EXPECT_EQ("hill 1 It says that it is of the site lake.", kept_.aside[0]);
  EXPECT_TRUE(kept_.aside[1].starts_with("hill 2 ")) << kept_.aside[1];
  EXPECT_EQ("hill 4 Entry 1 of the batch has a text that is no UTF-8.", kept_.aside[3]);
  EXPECT_EQ("hill 5 Entry 1 of the batch has attributes that are no JSON object.", kept_.aside[4]);
  EXPECT_EQ("hill 6 This is no batch of changes: it does not name its history.", kept_.aside[5]);
  EXPECT_EQ(6u, writer->status().kept_aside);
  EXPECT_EQ(0u, writer->status().behind);
}

TEST_F(FleetWriterTest, AMessageThatTheStoreRefusesIsKeptAsideAndTheOthersAreWritten) {
  kept_.refused = "bad";
  for (const auto* const site : {"lake", "bad", "hill"}) engine_.keep(site, counted(site, 0, 2));
  engine_.keep("lake", counted("lake", 2, 3));
  write_all(*writer());
  Texts all;
  for (const Texts& each : kept_.transactions) all.insert(all.end(), each.begin(), each.end());
  EXPECT_EQ((Texts{"lake 0-2", "hill 0-2", "lake 2-3"}), all);
  EXPECT_EQ(Texts{"bad 2 It is no text."}, kept_.aside);
  EXPECT_EQ(4u, kept_.places["engine-1"]);
}

TEST_F(FleetWriterTest, WritesNothingWhileAnotherPortalDoes) {
  kept_.held_by_another = true;
  engine_.keep("lake", counted("lake", 0, 2));
  auto writer = this->writer();
  write_all(*writer);
  EXPECT_TRUE(kept_.transactions.empty());
  EXPECT_FALSE(writer->status().holds_the_lock);
  kept_.held_by_another = false;
  write_all(*writer);
  EXPECT_TRUE(writer->status().holds_the_lock);
  EXPECT_EQ((std::vector<Texts>{{"lake 0-2"}}), kept_.transactions);
}

TEST_F(FleetWriterTest, AsksForAGapOnceAMinuteUntilItIsClosed) {
  engine_.keep("lake", counted("lake", 0, 2));
  engine_.keep("lake", counted("lake", 5, 6));
  auto writer = this->writer(1);
  EXPECT_TRUE(writer->write_next().value());
  write_all(*writer);
  write_all(*writer);
  EXPECT_EQ(Texts{"lake 2-5"}, asked_);
  EXPECT_EQ(1u, writer->status().gaps);
  clock_.advance(59s);
  write_all(*writer);
  EXPECT_EQ(1u, asked_.size());
  clock_.advance(1s);
  write_all(*writer);
  EXPECT_EQ((Texts{"lake 2-5", "lake 2-5"}), asked_);
  engine_.keep("lake", counted("lake", 1, 5));
  clock_.advance(1h);
  write_all(*writer);
  EXPECT_EQ(2u, asked_.size());
  EXPECT_EQ(0u, writer->status().gaps);
}

TEST_F(FleetWriterTest, DoesNotAskForWhatMayStillBeOnItsWay) {
  engine_.keep("lake", counted("lake", 5, 6));
  engine_.keep("lake", counted("lake", 0, 5));
  auto writer = this->writer(1);
  write_all(*writer);
  EXPECT_TRUE(asked_.empty());
}

TEST_F(FleetWriterTest, KeepsItsPlaceWhileTheStoreFailsAndSaysSinceWhen) {
  engine_.keep("lake", counted("lake", 0, 2));
  auto writer = this->writer();
  kept_.held_by_another = true;
  write_all(*writer);
  kept_.held_by_another = false;
  kept_.failure = "It is full.";
  writer->start();
  const auto until = [&](auto done) {
    for (int tries = 0; !done() && tries < 10'000; ++tries) std::this_thread::sleep_for(1ms);
    return done();
  };
  ASSERT_TRUE(until([&] { return writer->status().failure == "It is full."; }));
  EXPECT_EQ(clock_.now(), writer->status().since);
  EXPECT_FALSE(writer->status().holds_the_lock);
  writer->stop();
  kept_.failure.clear();
  write_all(*writer);
  EXPECT_EQ((std::vector<Texts>{{"lake 0-2"}}), kept_.transactions);
  EXPECT_FALSE(writer->status().since);
  EXPECT_EQ("", writer->status().failure);
}

}  // namespace
}  // namespace hearth::archive
