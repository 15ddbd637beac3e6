// SPDX-License-Identifier: Apache-2.0
// A follower of the log reads every committed change and event once, by number, whatever is packed meanwhile.
#include "recorder/log/log_tail.h"

#include <gtest/gtest.h>

#include <optional>
#include <random>

#include "recorder/log/log_packer.h"
#include "recorder/test_history.h"
#include "storage/temporary_folder.h"

namespace hearth::recorder {
namespace {

using namespace std::chrono_literals;

// `3 light.a on`, an event as `4 type`, a removal as `5 light.a -`.
std::string told(const TailEntry& entry) {
  std::string text = std::to_string(entry.change.number) + " ";
  if (entry.is_event()) return text + std::string(entry.type);
  return text + std::string(entry.entity_id) + " " + (entry.change.removed ? "-" : std::string(entry.change.value));
}

class LogTailTest : public testing::Test {
 protected:
  LogTailTest() { clock_.advance(30 * 24h); }

  void open(std::int64_t followed = 0) {
    home_.reset();
    home_.emplace(clock_, folder_.path());
    home_->recorder->set_followers({{}, [followed](std::string_view) { return followed; }});
  }
  void pack() {
    home_->save();
    clock_.advance(24h);
    home_->maintain();
  }
  LogTail tail() { return LogTail::open(folder_ / "history.db").value(); }
  // All after the number, in parts of so many.
  static std::vector<std::string> rest(LogTail& tail, std::int64_t after, std::size_t most) {
    std::vector<std::string> entries;
    for (;;) {
      const auto part = tail.read(after, most).value();
      EXPECT_LE(part.entries.size(), most);
      for (const TailEntry& entry : part.entries) entries.push_back(told(entry));
      EXPECT_TRUE(part.until > after || part.at_end);
      after = part.until;
      if (part.at_end) return entries;
    }
  }

  storage::TemporaryFolder folder_;
  base::ManualClock clock_;
  std::optional<TestHome> home_;
};

TEST_F(LogTailTest, ReadsChangesRemovalsAndEventsInTheirOrder) {
  open();
  home_->set("light.a", "on", R"({"brightness":3})", {"A", "P", "U"});
  home_->set("light.b", "off");
  home_->hub.bus.fire("automation_triggered", R"({"name":"x"})", core::Origin::local, {"C", {}, {}});
  home_->hub.bus.run_pending();
  home_->remove("light.b");
  home_->save();
  auto tail = this->tail();
  EXPECT_EQ((std::vector<std::string>{"1 light.a on", "2 light.b off", "3 automation_triggered", "4 light.b -"}),
            rest(tail, 0, 100));
  EXPECT_EQ((std::vector<std::string>{"3 automation_triggered", "4 light.b -"}), rest(tail, 2, 1));
  const auto part = tail.read(0, 1).value();
  const Change& first = part.entries.at(0).change;
  EXPECT_EQ(R"({"brightness":3})", first.attributes);
  EXPECT_EQ("A P U",
            std::string(first.context_id) + " " + std::string(first.parent_id) + " " + std::string(first.user_id));
  EXPECT_FALSE(part.at_end);
  EXPECT_EQ(4, tail.last_number().value());
  EXPECT_TRUE(tail.read(4, 1).value().at_end);
}

TEST_F(LogTailTest, ReadsPackedChangesWithTheirNumbersAndTheRestFromTheLog) {
  open();
  for (int i = 1; i <= 6; ++i) {
    clock_.advance(1min);
    home_->set(i % 2 ? "light.a" : "light.b", std::to_string(i));
  }
  pack();
  home_->set("light.a", "7");
  home_->save();
  const std::vector<std::string> all = {"1 light.a 1", "2 light.b 2", "3 light.a 3", "4 light.b 4",
                                        "5 light.a 5", "6 light.b 6", "7 light.a 7"};
  for (const std::size_t most : {1, 2, 5, 100}) {
    auto tail = this->tail();
    EXPECT_EQ(all, rest(tail, 0, most)) << most;
  }
  auto tail = this->tail();
  EXPECT_EQ(std::vector(all.begin() + 3, all.end()), rest(tail, 3, 100));
}

TEST_F(LogTailTest, FindsNothingPackedThatNobodyFollowed) {
  open(kNobodyFollows);
  home_->set("light.a", "1");
  home_->set("light.a", "2");
  pack();
  auto tail = this->tail();
  EXPECT_EQ(std::vector<std::string>{"2 light.a 2"}, rest(tail, 0, 100));  // the one that stays in the log
}

TEST_F(LogTailTest, KeepsNumbersWhenDaysAreMergedButOnlyThoseThatAreNeeded) {
  open();
  for (int i = 1; i <= 4; ++i) {
    clock_.advance(1min);
    home_->set("light.a", std::to_string(i));
    home_->set("light.b", "x" + std::to_string(i));
    home_->save();
    auto database = storage::Database::open(folder_ / "history.db").value();
    pack_log(database, INT64_MAX, [](std::string_view) { return true; }, Effort::quick, i < 2 ? 0 : 2).value();
  }
  open(2);
  pack();
  auto database = storage::Database::open_to_read(folder_ / "history.db").value();
  auto segments = database.prepare("SELECT count(*) FROM segments").value();
  segments.step().value();
  EXPECT_EQ(2, segments.integer(0));
  auto tail = this->tail();
  EXPECT_EQ((std::vector<std::string>{"3 light.a 2", "4 light.b x2", "5 light.a 3", "6 light.b x3", "7 light.a 4",
                                      "8 light.b x4"}),
            rest(tail, 0, 3));
}

TEST_F(LogTailTest, NamesAnEntityAsItIsCalledNow) {
  open();
  home_->set("light.a", "1");
  home_->save();
  auto database = storage::Database::open(folder_ / "history.db").value();
  database.execute("UPDATE entities SET entity_id = 'light.c'").value();
  home_.reset();
  open();
  home_->set("light.c", "2");
  home_->save();
  auto tail = this->tail();
  const auto part = tail.read(0, 100).value();
  ASSERT_EQ(2u, part.entries.size());
  EXPECT_EQ("1 light.c 1", told(part.entries[0]));
  EXPECT_EQ(part.entries[0].entity, part.entries[1].entity);
}

// Numbers are dense, the clock is set back, days end, and packing comes at any time.
TEST_F(LogTailTest, MissesNothingAndRepeatsNothingOfManyDays) {
  open();
  std::mt19937 random(22);
  std::vector<std::string> expected;
  std::int64_t number = 0;
  auto tail = this->tail();
  std::vector<std::string> read;
  std::int64_t after = 0;
  for (int i = 0; i < 3'000; ++i) {
    const auto step = random() % 1'000;
    clock_.advance(step == 0 ? 9h : step == 1 ? -2h : 20s);
    const std::string id = "sensor.s" + std::to_string(random() % 7);
    const std::string value = std::to_string(i);
    home_->set(id, value, R"({"unit_of_measurement":"W"})");
    expected.push_back(std::to_string(++number) + " " + id + " " + value);
    if (random() % 50 == 0) home_->save();
    if (random() % 200 == 0) home_->maintain();
    if (random() % 400 == 0) {
      for (const auto& entry : rest(tail, after, 1 + random() % 300)) read.push_back(entry);
      after = tail.last_number().value();
    }
  }
  pack();
  for (const auto& entry : rest(tail, after, 1'000)) read.push_back(entry);
  ASSERT_EQ(expected.size(), read.size());
  EXPECT_EQ(expected, read);
  auto again = this->tail();
  EXPECT_EQ(expected, rest(again, 0, 777));
}

TEST_F(LogTailTest, GoesOnAfterADamagedSegment) {
  open();
  home_->set("light.a", "1");
  home_->set("light.b", "2");
  home_->set("light.b", "3");
  pack();
  auto database = storage::Database::open(folder_ / "history.db").value();
  database.execute("UPDATE segments SET data = x'00' WHERE first_number = 1").value();
  auto tail = this->tail();
  EXPECT_EQ((std::vector<std::string>{"2 light.b 2", "3 light.b 3"}), rest(tail, 0, 10));
}

}  // namespace
}  // namespace hearth::recorder
