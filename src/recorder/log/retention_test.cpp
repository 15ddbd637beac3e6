// SPDX-License-Identifier: Apache-2.0
#include "recorder/log/retention.h"

#include <gtest/gtest.h>

#include "recorder/log/history_file.h"
#include "recorder/test_history.h"
#include "storage/temporary_folder.h"

namespace hearth::recorder {
namespace {

using namespace std::chrono_literals;

TEST(Retention, TheNarrowerClassCounts) {
  Retention retention;
  retention.keep = 24h;
  retention.classes = {
      {{{}, {"sensor"}, {}}, 48h}, {{{}, {}, {"sensor.energy_*"}}, 72h}, {{{"sensor.energy_x"}, {}, {}}, 96h}};
  EXPECT_EQ(24h, retention.of("light.a"));
  EXPECT_EQ(48h, retention.of("sensor.a"));
  EXPECT_EQ(72h, retention.of("sensor.energy_a"));
  EXPECT_EQ(96h, retention.of("sensor.energy_x"));
}

TEST(Retention, ExcludedEntitiesAreNeverRecorded) {
  Retention retention;
  retention.filter.exclude = {{}, {"sensor"}, {}};
  retention.classes = {{{{"sensor.a"}, {}, {}}, 48h}, {{{"light.b"}, {}, {}}, Retention::kNever}};
  EXPECT_FALSE(retention.records("sensor.a"));
  EXPECT_FALSE(retention.records("light.b"));
  EXPECT_TRUE(retention.records("light.a"));
}

class RetentionTest : public testing::Test {
 protected:
  storage::TemporaryFolder folder_;
  base::ManualClock clock_;
  const base::Timestamp start_ = clock_.now();
};

TEST_F(RetentionTest, OldHistoryGoesByClass) {
  RecorderOptions options;
  options.retention.keep = 49h;
  options.retention.classes = {{{{}, {"climate"}, {}}, 241h}, {{{}, {"sun"}, {}}, Retention::kForever}};
  TestHome home(clock_, folder_.path(), options);
  for (int day = 0; day < 20; ++day) {
    for (const auto id : {"light.a", "climate.a", "sun.sun"}) home.set(id, std::to_string(day));
    clock_.advance(24h);
    home.save();
    home.maintain();
  }
  home.set("light.b", "on");
  home.save();
  home.maintain();
  clock_.advance(15min);
  home.maintain();
  EXPECT_EQ("18 19", home.history("light.a", start_, clock_.now()));
  EXPECT_EQ("10 11 12 13 14 15 16 17 18 19", home.history("climate.a", start_ - 1s, clock_.now()));
  EXPECT_TRUE(home.history("sun.sun", start_ - 1s, clock_.now()).starts_with("0 1 2 "));
}

TEST_F(RetentionTest, StatesThatAreNeverRecordedAreStillRestored) {
  RecorderOptions options;
  options.retention.filter.exclude = {{}, {"sensor"}, {}};
  {
    TestHome home(clock_, folder_.path(), options);
    home.set("sensor.a", "1");
    home.set("light.a", "on");
    EXPECT_EQ("", home.history("sensor.a", start_ - 1s, start_ + 1h));
    home.recorder->commit().value();
    EXPECT_EQ("", home.history("sensor.a", start_ - 1s, start_ + 1h));
    EXPECT_EQ("on", home.history("light.a", start_ - 1s, start_ + 1h));
  }
  TestHome home(clock_, folder_.path(), options);
  EXPECT_EQ("1", home.hub.states.find("sensor.a")->value());
}

TEST_F(RetentionTest, ARequestedPurgeDeletesAtOnce) {
  TestHome home(clock_, folder_.path());
  const std::string text(2'000, 'x');
  for (int i = 0; i < 2'000; ++i) {
    clock_.advance(1s);
    home.set("sensor.a", std::to_string(i), R"({"n":")" + std::to_string(i * 7919) + text.substr(0, i % 2'000) + "\"}");
    home.set("sensor.b", std::to_string(i));
  }
  home.save();
  const auto before = home.recorder->database_bytes();
  bool done = false;
  Recorder::Purge purge;
  purge.keep = base::Duration(0);
  purge.entities = core::EntityFilter::Rule{{"sensor.a"}, {}, {}};
  purge.repack = true;
  purge.done = [&](const base::Result<void>& result) { done = result.has_value(); };
  home.recorder->purge(std::move(purge)).value();
  clock_.advance(1s);
  home.maintain();
  EXPECT_TRUE(done);
  EXPECT_EQ("", home.history("sensor.a", start_, clock_.now()));
  EXPECT_NE("", home.history("sensor.b", start_, clock_.now()));
  EXPECT_LT(home.recorder->database_bytes(), before / 2);
}

TEST_F(RetentionTest, AClockThatIsWrongForAMomentDeletesNothing) {
  TestHome home(clock_, folder_.path());
  home.set("light.a", "on");
  clock_.advance(1h);
  home.set("light.b", "on");
  home.save();
  const auto now = clock_.now();
  clock_.set(now + 365 * 24h);
  home.maintain();
  clock_.set(now);
  clock_.advance(20min);
  home.maintain();
  EXPECT_EQ("on", home.history("light.a", start_ - 1s, clock_.now()));
  clock_.set(now + 365 * 24h);
  home.maintain();
  clock_.advance(20min);
  home.maintain();
  EXPECT_EQ("", home.history("light.a", start_ - 1s, start_ + 1h));
}

}  // namespace
}  // namespace hearth::recorder
